import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { AppError } from '../http/errors.ts'
import type { ErrorBody } from '../http/responses.ts'

/** The answer of a tool: data for the program, a sentence for the reader, and the next step. */
type ToolAnswer = { summary: string; next_step: string; [field: string]: unknown }

/**
 * Returns the output schema of a tool. All of it is optional, because the body of an error is an answer too, and
 * clients check that as well.
 */
export const answerWith = (fields: z.ZodRawShape) =>
  z.looseObject({ summary: z.string(), next_step: z.string(), ...fields }).partial()

/** The longest answer, as JSON. It is built twice, and a model reads far less. */
export const MAX_ANSWER_BYTES = 1024 * 1024

export type ToolError = Pick<ErrorBody, 'code' | 'error' | 'message' | 'details'>

/**
 * Returns what runs the call of a tool and makes its result. An error becomes a result too, so that the model can read
 * it.
 * @param describe converts an error to the body of an error response of the API.
 */
export const createToolRunner =
  (describe: (error: unknown) => ToolError) =>
  async (answer: () => Promise<ToolAnswer>): Promise<CallToolResult> => {
    try {
      return shown(await answer())
    } catch (error) {
      return { ...shown(describe(error)), isError: true }
    }
  }

function shown(value: ToolAnswer | ToolError): CallToolResult {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) throw tooLong()
  return { content: [{ type: 'text', text }], structuredContent: { ...value } }
}

/** Returns the error of an answer above `MAX_ANSWER_BYTES`. */
export const tooLong = (): AppError =>
  new AppError(
    'too_large',
    'The answer is larger than 1 MiB. Ask for less with a smaller `limit`, or call export_link.',
  )

/** Runs the call of a tool. */
export type ToolRunner = ReturnType<typeof createToolRunner>
