import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { findRefusal, type AppIdentity } from './findRefusal.ts'
import type { Finding } from './finding.ts'

const timeoutMs = 10_000
const longestText = 4_096

/**
 * Opens a connection to a relay as the app does, with its project and origin, but without a client's token. A relay checks the
 * token last, so one that asks for it accepts the project and the origin.
 */
export async function checkRelay(url: string, app: AppIdentity = {}): Promise<readonly Finding[]> {
  if (!/^wss?:\/\//.test(url)) {
    const advice = 'Use the WebSocket address of the relay, such as wss://relay.example.org/relay.'
    return [{ severity: 'problem', text: `${url} is not a WebSocket address.`, advice }]
  }
  const outcome = await open(url, app)
  if (typeof outcome !== 'string' || outcome === 'open') return [describeResponse(url, outcome, app)]
  const advice = 'Start the relay, and check its address, the certificate, and proxies that block WebSocket.'
  return [{ severity: 'problem', text: `The relay ${url} can't be reached: ${outcome}`, advice }]
}

type Refused = { status: number; text: string }

function describeResponse(url: string, outcome: 'open' | Refused, app: AppIdentity): Finding {
  const asksForToken = outcome !== 'open' && outcome.status === 401 && /auth token|\bjwt\b/i.test(outcome.text)
  if (outcome === 'open' || asksForToken) return { severity: 'ok', text: `The relay ${url} ${describeAccepted(app)}.` }
  if ([400, 401, 403].includes(outcome.status)) return findRefusal({ service: `The relay ${url}`, ...outcome, ...app })
  const advice = 'Check the path of the address. The path of a Latchkey relay is /relay.'
  return { severity: 'problem', text: `The relay ${url} responds with ${outcome.status}.`, advice }
}

function describeAccepted({ project, origin }: AppIdentity): string {
  const named = [project && `the project ${project}`, origin && `the origin ${origin}`].filter(Boolean)
  return named.length === 0 ? 'responds' : `accepts ${named.join(' and ')}`
}

/** @returns `open`, the response of a refusal, or the reason of a failure */
function open(url: string, { project, origin }: AppIdentity): Promise<'open' | Refused | string> {
  const address = new URL(url)
  if (project !== undefined) address.searchParams.set('projectId', project)
  return new Promise((resolve) => {
    const socket = new WebSocket(address, { handshakeTimeout: timeoutMs, ...(origin !== undefined && { origin }) })
    const finish = (outcome: 'open' | Refused | string): void => {
      resolve(outcome)
      socket.terminate()
    }
    socket.on('open', () => finish('open'))
    socket.on('unexpected-response', (_, response) => {
      void readRefusal(response).then((text) => finish({ status: response.statusCode ?? 0, text }))
    })
    socket.on('error', ({ message }) => finish(message === '' ? 'no connection' : message))
  })
}

/** Reads the start of a response. One that never ends counts as complete after the timeout. */
async function readRefusal(response: IncomingMessage): Promise<string> {
  let text = ''
  const timer = setTimeout(() => response.destroy(), timeoutMs)
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk)
      if (text.length > longestText) break
    }
  } catch {
    // The start of the text is enough.
  } finally {
    clearTimeout(timer)
  }
  return text.trim()
}
