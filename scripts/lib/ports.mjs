import { createServer } from 'node:net'

/** The services of the local world, with their display names and default ports. */
const listeners = [
  { part: 'web', variable: 'LATCHKEY_WEB_PORT', port: 4600 },
  { part: 'wallet', variable: 'LATCHKEY_WALLET_PORT', port: 4601 },
  { part: 'server', variable: 'LATCHKEY_SERVER_PORT', port: 4602 },
  { part: 'evm', variable: 'LATCHKEY_EVM_PORT', port: 8545 },
  { part: 'evm2', variable: 'LATCHKEY_EVM2_PORT', port: 8546 },
  { part: 'solana', variable: 'LATCHKEY_SOLANA_PORT', port: 8899 },
  { part: 'bitcoin', variable: 'LATCHKEY_BITCOIN_PORT', port: 4603 },
  { part: 'polkadot', variable: 'LATCHKEY_POLKADOT_PORT', port: 4604 },
  { part: 'frame', variable: 'LATCHKEY_FRAME_PORT', port: 4605 },
  { part: 'mailbox', variable: 'LATCHKEY_MAILBOX_PORT', port: 4606 },
  { part: 'identity', variable: 'LATCHKEY_IDENTITY_PORT', port: 4607 },
  { part: 'docs', variable: 'LATCHKEY_DOCS_PORT', port: 4608 },
]

/**
 * Returns a free port for each service of the local world; 0 stands for any free port.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Promise<Record<string, number>>}
 * @throws {Error} with a sentence for each port that is not available.
 */
export async function choosePorts(environment) {
  const chosen = listeners.map(({ part, variable, port }) => ({
    part,
    variable,
    port: readPort(environment[variable] ?? port, variable),
  }))
  const complaints = await Promise.all(
    chosen.map(async ({ part, variable, port }) =>
      port !== 0 && (await isTaken(port)) ? [`Port ${port} is taken (${part}). Free it or set ${variable}.`] : [],
    ),
  )
  if (complaints.flat().length > 0) throw new Error(complaints.flat().join('\n'))
  return Object.fromEntries(chosen.map(({ part, port }) => [part, port]))
}

/**
 * Reads a port from the value of a variable.
 *
 * @param {string | number} value
 * @param {string} variable
 * @throws {Error} with a sentence if it is not a port.
 */
export function readPort(value, variable) {
  const port = Number(value)
  if (value !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error(`${variable} is "${value}", which is not a port. Use a number up to 65535, or 0 for any free port.`)
}

/**
 * True if a process listens on a port of this machine.
 *
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isTaken(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })
}
