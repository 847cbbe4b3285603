import { getField } from '@latchkey/protocol'
import { findRefusal, type AppIdentity } from './findRefusal.ts'
import type { Finding } from './finding.ts'

/** Requests the wallet list of a data service as the app does, with its project and origin. */
export async function checkWallets(server: string, app: AppIdentity): Promise<readonly Finding[]> {
  const service = `The data service ${server}`
  const response = await requestWallets(server, app).catch((error: unknown) => String(getField(error, 'message')))
  if (typeof response === 'string') {
    const advice = 'Start the server, and check its address and certificate.'
    return [{ severity: 'problem', text: `${service} can't be reached: ${response}`, advice }]
  }
  const text = await response.text().catch(() => '')
  if ([400, 401, 403].includes(response.status)) {
    return [findRefusal({ service, status: response.status, text, ...app })]
  }
  const count = readCount(text)
  if (!response.ok || count === undefined) {
    const advice = 'Check the address. `server` of the app is the URL of a Latchkey server, without a path.'
    return [
      { severity: 'problem', text: `${service} has no wallet list: it responds with ${response.status}.`, advice },
    ]
  }
  return [describeCount(service, count), ...checkReadable(service, response, app)]
}

function requestWallets(server: string, { project, origin }: AppIdentity): Promise<Response> {
  const url = new URL(`${server.replace(/\/$/, '')}/getWallets`)
  url.searchParams.set('entries', '1')
  if (project !== undefined) url.searchParams.set('projectId', project)
  const headers = { accept: 'application/json', ...(origin !== undefined && { origin }) }
  return fetch(url, { headers, signal: AbortSignal.timeout(10_000) })
}

function readCount(text: string): number | undefined {
  try {
    const count = getField(JSON.parse(text), 'count')
    return typeof count === 'number' ? count : undefined
  } catch {
    return undefined
  }
}

function describeCount(service: string, count: number): Finding {
  if (count > 0) return { severity: 'ok', text: `${service} lists ${count} wallets.` }
  const advice = 'The modal then offers installed wallets only. Check WALLETS_FILE of the server.'
  return { severity: 'warning', text: `${service} lists no wallets.`, advice }
}

function checkReadable(service: string, { headers }: Response, { origin }: AppIdentity): readonly Finding[] {
  const allowed = headers.get('access-control-allow-origin')
  if (origin === undefined || allowed === '*' || allowed === origin) return []
  const advice = `Let it send Access-Control-Allow-Origin for ${origin}: check proxies in front of it.`
  return [
    {
      severity: 'problem',
      text: `Pages of ${origin} may not read responses of ${service.replace(/^The/, 'the')}.`,
      advice,
    },
  ]
}
