import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { GrownStage } from './grownStage.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The suites that talk to one relay as clients do, and the published WalletConnect clients, each with ours and with itself. */
const runs = [
  {
    name: 'wire format and methods',
    options: [
      '--project=server',
      'server/src/relay/connections/wireFormat.test.ts',
      'server/src/relay/methods/methods.test.ts',
    ],
  },
  {
    name: 'pairings of published clients',
    // Their other tests wait up to twenty seconds for reconnections.
    options: [
      '--project=packages',
      'packages/walletconnect/src/testing/interop/away.test.ts',
      '-t',
      'pair if the wallet',
    ],
  },
  {
    name: 'sessions of published clients',
    options: [
      '--project=packages',
      'packages/walletconnect/src/testing/interop/sessions.test.ts',
      'packages/walletconnect/src/testing/interop/fourNamespaces.test.ts',
      'packages/walletconnect/src/signIn/publishedClients.test.ts',
    ],
  },
  {
    name: 'sessions of our clients',
    options: [
      '--project=packages',
      'packages/walletconnect/src/connector/walletConnect.contract.test.ts',
      'packages/walletconnect/src/connector/resume.test.ts',
      'packages/walletconnect/src/connector/namespaces.test.ts',
      'packages/walletconnect/src/signIn/dapp/authenticate.test.ts',
    ],
  },
] as const

/** Runs the contract suites of the relay through HAProxy, in separate processes. */
export async function runContractSuites({ grown }: GrownStage, note: (text: string) => void): Promise<void> {
  // Published clients accept no unknown certificates, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says.
  const trust = { NODE_EXTRA_CA_CERTS: grown.proxy.certificate, NODE_TLS_REJECT_UNAUTHORIZED: '1' }
  const env = { ...process.env, ...trust, LATCHKEY_TEST_RELAY_URL: grown.relayUrl }
  for (const { name, options } of runs) {
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...options]
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const [code] = await once(child, 'close')
    if (code !== 0) console.log(output)
    expect(code).toBe(0)
    note(`${name}: ${[...output.matchAll(/(\d+) passed/g)].at(-1)?.[1] ?? 'all'} tests`)
  }
}
