import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** The input that a password is typed or piped into. */
export type PasswordInput = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/**
 * Reads a password: the first line of the input. A terminal gets a prompt and shows nothing that is typed.
 *
 * @param prompt writes the prompt
 */
export async function readPassword(input: PasswordInput, prompt: (text: string) => void): Promise<string> {
  const isTerminal = input.isTTY === true
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: isTerminal })
  if (isTerminal) prompt('Password of the recovery file: ')
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTerminal) prompt('\n')
  }
}
