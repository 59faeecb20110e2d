import { textSchema } from '@placefleet/shared/text'
import { z } from 'zod'
import { USER_CODE } from './logins.ts'

const CODE_EXAMPLE = 'BCDF-GHJK'
const DEVICE_CODE_EXAMPLE = 'q3Zk0v3mV7m0u3m8b1xw6o1Q2nY4c5e6f7g8h9i0jkl'
const NAME_EXAMPLE = 'placefleet on ada-laptop'

/**
 * Control characters, line breaks, and those that change the direction of text: the name could pose as other words of
 * the page.
 */
const HIDDEN = '\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
const VISIBLE = `^[^${HIDDEN}]*[^${HIDDEN}\\s][^${HIDDEN}]*$`

/** The name of a program, as people see it. */
export const ClientName = textSchema({ min: 1, max: 100 })
  .regex(new RegExp(VISIBLE), 'has a control character, or one that changes the direction of text; remove it')
  .meta({ pattern: VISIBLE })
  .describe('name of the program, and of its API key')
const client_name = ClientName
const user_code = z
  .string()
  .regex(USER_CODE, 'is not a pairing code')
  .describe('the pairing code that the program shows')

export const BeginDeviceLogin = z.strictObject({ client_name }).meta({
  id: 'BeginDeviceLogin',
  description: 'A program that requests a login.',
  examples: [{ client_name: NAME_EXAMPLE }],
})

export const DeviceLoginCodes = z
  .object({
    device_code: z.string().describe('the secret with which the program asks for its API key'),
    user_code,
    verification_uri: z.url().describe('page on which a signed-in person enters the pairing code'),
    verification_uri_complete: z.url().describe('the same with the code in it'),
    expires_in: z.int().min(1).describe('seconds until the codes are no longer valid'),
    interval: z.int().min(1).describe('seconds to wait between two requests for the key'),
  })
  .meta({
    id: 'DeviceLoginCodes',
    description: 'The codes of a login by pairing code (RFC 8628).',
    examples: [
      {
        device_code: DEVICE_CODE_EXAMPLE,
        user_code: CODE_EXAMPLE,
        verification_uri: 'https://fleet.example/console/connect',
        verification_uri_complete: `https://fleet.example/console/connect?code=${CODE_EXAMPLE}`,
        expires_in: 600,
        interval: 2,
      },
    ],
  })

export const RedeemDeviceLogin = z
  .strictObject({ device_code: z.string().min(1).max(200).describe('the device code of the program') })
  .meta({
    id: 'RedeemDeviceLogin',
    description: 'The device code of a program.',
    examples: [{ device_code: DEVICE_CODE_EXAMPLE }],
  })

export const DeviceKey = z.object({ key: z.string().describe('an API key of the person; shown only once') }).meta({
  id: 'DeviceKey',
  description: 'The API key of an approved login.',
  examples: [{ key: 'svc_Ab3dEfGhIjKlMnOpQrStUvWxYz0123456x9Qz' }],
})

export const UserCodeParams = z.object({ user_code })

const client_address = z.string().describe('IP address from which the program asked')

export const DeviceLogin = z
  .object({
    user_code,
    client_name,
    client_address,
    returns_to: z
      .string()
      .optional()
      .describe('of an assistant that runs elsewhere (OAuth): the host to which the browser returns. It shows no code'),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({
    id: 'DeviceLogin',
    description: 'A program that waits for approval.',
    examples: [
      {
        user_code: CODE_EXAMPLE,
        client_name: NAME_EXAMPLE,
        client_address: '203.0.113.7',
        created_at: '2026-03-01T12:00:00.000Z',
        expires_at: '2026-03-01T12:10:00.000Z',
      },
    ],
  })
