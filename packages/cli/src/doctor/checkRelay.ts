import { WebSocket } from 'ws'
import type { Finding } from './finding.ts'

const timeoutMs = 10_000

/** Opens a connection to a relay. A relay that refuses it without a valid project or token was reached. */
export async function checkRelay(url: string): Promise<readonly Finding[]> {
  if (!/^wss?:\/\//.test(url)) {
    const advice = 'Use the WebSocket address of the relay, such as wss://relay.example.org/relay.'
    return [{ severity: 'problem', text: `${url} is not a WebSocket address.`, advice }]
  }
  const outcome = await open(url)
  if (outcome === 'open' || typeof outcome === 'number') return describeResponse(url, outcome)
  const advice = 'Start the relay, and check its address, the certificate, and proxies that block WebSocket.'
  return [{ severity: 'problem', text: `The relay ${url} can't be reached: ${outcome}`, advice }]
}

function describeResponse(url: string, outcome: 'open' | number): readonly Finding[] {
  if (outcome === 'open' || [400, 401, 403].includes(outcome)) {
    return [{ severity: 'ok', text: `The relay ${url} responds.` }]
  }
  const advice = 'Check the path of the address. The path of a Latchkey relay is /relay.'
  return [{ severity: 'problem', text: `The relay ${url} responds with ${outcome}.`, advice }]
}

/** @returns `open`, the status of a refusal, or the reason of a failure */
function open(url: string): Promise<'open' | number | string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { handshakeTimeout: timeoutMs })
    const finish = (outcome: 'open' | number | string): void => {
      resolve(outcome)
      socket.terminate()
    }
    socket.on('open', () => finish('open'))
    socket.on('unexpected-response', (_, { statusCode = 0 }) => finish(statusCode))
    socket.on('error', ({ message }) => finish(message === '' ? 'no connection' : message))
  })
}
