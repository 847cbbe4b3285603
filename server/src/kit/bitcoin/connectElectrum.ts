import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { getField } from '../runtime/getField.ts'

/** A server responded to a request with an error, for example because a history is too long for it. */
export class ElectrumRefusalError extends Error {
  override readonly name: string = 'ElectrumRefusalError'
}

/** A call of the Electrum protocol: method and parameters. */
export type ElectrumCall = readonly [method: string, ...params: readonly (string | number | boolean)[]]

/** A connection to an Electrum server. */
export type ElectrumConnection = {
  /**
   * Sends calls together.
   *
   * @returns the results in the order of the calls
   * @throws ElectrumRefusalError if the server refuses one; Error if the connection ends or exceeds its limits
   */
  request(calls: readonly ElectrumCall[]): Promise<readonly unknown[]>
  close(): void
}

export type ElectrumLimits = {
  /** The time of the whole connection, in milliseconds. */
  timeoutMs: number
  /** The most bytes of all responses together. */
  maxBytes: number
  /** The certificate of an authority, in place of those of Node.js. */
  ca?: string
}

type Waiting = { resolve(result: unknown): void; reject(error: Error): void }

/** Servers limit how many requests of a client they process at a time. */
const callsAtATime = 50

/**
 * Connects to an Electrum server (Electrum protocol 1.4: JSON-RPC, a message per line, over TLS or TCP) and agrees on the version.
 *
 * @param url `ssl://host:port` with a valid certificate, or `tcp://host:port`
 * @throws Error if the server does not respond, or not with this protocol
 * @example
 * const connection = await connectElectrum('ssl://electrum.example:50002', { timeoutMs: 10_000, maxBytes: 10_485_760 })
 * const [history] = await connection.request([['blockchain.scripthash.get_history', scriptHash]])
 */
export async function connectElectrum(
  url: string,
  { timeoutMs, maxBytes, ca }: ElectrumLimits,
): Promise<ElectrumConnection> {
  const socket = openSocket(url, ca)
  const waiting = new Map<number, Waiting>()
  const timer = setTimeout(() => socket.destroy(new Error('The server did not respond in time.')), timeoutMs)
  let sent = 0

  function end(error: Error): void {
    clearTimeout(timer)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  socket.on('error', end)
  socket.on('close', () => end(new Error('The server closed the connection.')))
  readLines(socket, maxBytes, (line) => {
    const message = JSON.parse(line) as unknown
    const id = getField(message, 'id')
    const call = typeof id === 'number' ? waiting.get(id) : undefined
    if (call === undefined) return
    waiting.delete(Number(id))
    const error = getField(message, 'error')
    if (error === undefined || error === null) call.resolve(getField(message, 'result'))
    else call.reject(new ElectrumRefusalError('The server refused a request.'))
  })

  const send = ([method, ...params]: ElectrumCall): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(new Error('The connection is closed.'))
      const id = (sent += 1)
      waiting.set(id, { resolve, reject })
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })

  async function request(calls: readonly ElectrumCall[]): Promise<readonly unknown[]> {
    const results: unknown[] = []
    for (let start = 0; start < calls.length; start += callsAtATime) {
      results.push(...(await Promise.all(calls.slice(start, start + callsAtATime).map(send))))
    }
    return results
  }

  const connection = { request, close: () => void socket.destroy() }
  try {
    const [version] = await request([['server.version', 'latchkey', '1.4']])
    if (!Array.isArray(version)) throw new Error('The server does not use the Electrum protocol.')
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

function openSocket(url: string, ca: string | undefined): Socket {
  const { protocol, hostname, port } = new URL(url)
  // An IPv6 address in a URL has brackets.
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'tcp:') return connectTcp({ host, port: Number(port) })
  // The name of the certificate is checked against the host.
  return connectTls({ host, port: Number(port), ca, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) })
}

/** Destroys the socket if a line is not valid, or if all lines together are too long. */
function readLines(socket: Socket, maxBytes: number, read: (line: string) => void): void {
  let chunks: Buffer[] = []
  let received = 0
  socket.on('data', (data: Buffer) => {
    received += data.length
    if (received > maxBytes) return void socket.destroy(new Error('The responses are too large.'))
    let rest = data
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const line = Buffer.concat([...chunks, rest.subarray(0, end)]).toString('utf8')
      chunks = []
      rest = rest.subarray(end + 1)
      try {
        read(line)
      } catch (cause) {
        return void socket.destroy(new Error('The server sent an invalid message.', { cause }))
      }
    }
    if (rest.length > 0) chunks.push(rest)
  })
}
