import { getField } from '@latchkey/protocol'
import type { Finding } from './finding.ts'

/** Asks a node for its chain. */
export async function checkRpc(url: string): Promise<readonly Finding[]> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://latchkey.invalid' },
      body,
      signal: AbortSignal.timeout(10_000),
    })
    const chain = getField(await response.json(), 'result')
    if (typeof chain !== 'string') throw new Error(`It responded with ${response.status}.`)
    const allowed = response.headers.get('access-control-allow-origin')
    const reached: Finding = { severity: 'ok', text: `The node ${url} serves chain ${Number(chain)}.` }
    if (allowed !== null) return [reached]
    const advice = 'Let the node send Access-Control-Allow-Origin, or use another endpoint.'
    return [
      reached,
      { severity: 'warning', text: `Browsers may not read ${url}: it does not allow other origins.`, advice },
    ]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = 'Check the URL, or pass another one in `rpcUrls` of the chain.'
    return [{ severity: 'problem', text: `The node ${url} can't be read: ${reason}`, advice }]
  }
}
