import { InvalidResponseError } from './errors.ts'

/** The bytes of a file while they arrive. `fs.writeFile` and `new Response()` take them. */
export type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Returns the body of a download. @throws InvalidResponseError when it has none. */
export function bodyOf<Body>(body: Body | null | undefined): Body {
  if (body !== null && body !== undefined) return body
  throw new InvalidResponseError({
    status: 200,
    body: { error: 'invalid_response', message: 'The answer has no body.' },
  })
}
