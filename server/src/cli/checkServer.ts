import type { ServerConfig } from '../config.ts'

const timeoutMs = 4_000
const anyAddresses = ['0.0.0.0', '::']

/**
 * Checks that the server of a configuration responds on this machine, for the health check of a container.
 *
 * @throws Error with a sentence if it does not
 */
export async function checkServer({ host, port }: Pick<ServerConfig, 'host' | 'port'>): Promise<void> {
  const name = anyAddresses.includes(host) ? '127.0.0.1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/live`
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined)
  if (response?.ok !== true) throw new Error(`The server does not respond at ${url}.`)
}
