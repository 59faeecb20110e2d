import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ErrorBody } from '../http/responses.ts'

/** The answer of a tool: data for the program, a sentence for the reader, and the next step. */
export type ToolAnswer = { summary: string; next_step: string; [field: string]: unknown }

export type ToolError = Pick<ErrorBody, 'code' | 'error' | 'message' | 'details'>

/**
 * Runs a call and returns the result of the tool. An error becomes a result too, so that the model can read it.
 * @param describe converts an error to the body of an error response of the API.
 */
export const toolResult =
  (describe: (error: unknown) => ToolError) =>
  async (answer: () => Promise<ToolAnswer>): Promise<CallToolResult> => {
    try {
      return shown(await answer())
    } catch (error) {
      return { ...shown(describe(error)), isError: true }
    }
  }

const shown = (value: ToolAnswer | ToolError): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: { ...value },
})

/** Runs a call and makes the answer of a tool. */
export type Answering = ReturnType<typeof toolResult>
