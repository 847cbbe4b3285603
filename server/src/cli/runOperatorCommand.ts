import Fastify from 'fastify'
import type { Environment } from '../kit/config/variables.ts'
import { runCommand } from './runCommand.ts'

/**
 * Runs one command of the operator for a test, without a server and a log.
 *
 * @param args the command line, without the program
 * @returns the printed lines
 * @throws UsageError for a wrong command line, Error with a sentence if the command fails
 * @example const lines = await runOperatorCommand(['backup', 'latchkey.backup'], { DATABASE_URL: url })
 */
export async function runOperatorCommand(
  args: readonly string[],
  environment: Environment,
): Promise<readonly string[]> {
  const lines: string[] = []
  const { log } = Fastify({ logger: false })
  await runCommand(args, { environment, log, print: (line) => void lines.push(line), serve: async () => {} })
  return lines
}
