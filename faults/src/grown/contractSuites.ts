import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { GrownStage } from './grownStage.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The suites that talk to one relay as clients do. */
const suites = ['server/src/relay/connections/wireFormat.test.ts', 'server/src/relay/methods/methods.test.ts']

/** Runs the contract suites of the relay through HAProxy, in processes of their own. */
export async function runContractSuites({ grown }: GrownStage, note: (text: string) => void): Promise<void> {
  const env = { ...process.env, LATCHKEY_TEST_RELAY_URL: grown.relayUrl, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const options = ['--project=server', '--testTimeout=120000']
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...options, ...suites]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = await once(child, 'close')
  if (code !== 0) console.log(output)
  expect(code).toBe(0)
  note(/Tests\D+(\d+ passed)/.exec(output)?.[1] ?? 'passed')
}
