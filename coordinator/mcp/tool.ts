import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ErrorBody } from '../http/responses.ts'

/** What a tool answers: ids and figures for the program, a sentence for the reader, and what to do next. */
export type ToolAnswer = { summary: string; next_step: string; [field: string]: unknown }

export type ToolError = Pick<ErrorBody, 'code' | 'error' | 'message' | 'details'>

/**
 * Makes a tool's answer of what a call gives or throws. A failure is an answer as well, so that the model reads it.
 * @param describe turns an error into the body that the API would answer.
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
