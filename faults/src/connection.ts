import { relayAddress, type ClientKey } from '@latchkey/server/testing'
import { WebSocket } from 'ws'

/** The outcome of a request: done, certainly not done, or unknown. */
export type Outcome = 'ok' | 'fail' | 'info'

/** One connection to a relay, until it ends. */
export type Connection = {
  /** True if the connection opened. */
  opened: Promise<boolean>
  /** The code with which it ended. */
  ended: Promise<number>
  request(method: string, params: object): Promise<Outcome>
  close(): void
}

export type Delivery = { topic: string; message: string }

type Frame = { id: number; error?: { code: number }; params?: { data: Delivery } }

const responseMilliseconds = 10_000
/** The relay failed, so it is unknown if it executed the request. */
const internalError = -32603

/**
 * Connects to a relay.
 *
 * @param take receives each delivery, which is acknowledged when it returns
 */
export function openConnection(url: string, key: ClientKey, take: (delivery: Delivery) => void): Connection {
  const socket = new WebSocket(relayAddress(url, { key }), { handshakeTimeout: responseMilliseconds })
  const waiting = new Map<number, (outcome: Outcome) => void>()
  let lastId = Date.now() * 1000

  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    // Unparsed frames of the relay: mistakes in them show in the history.
    const { id, error, params } = JSON.parse(String(data)) as Frame
    if (params === undefined) return waiting.get(id)?.(outcomeOf(error))
    take(params.data)
    socket.send(`{"id":${id},"jsonrpc":"2.0","result":true}`)
  })
  const opened = new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  const ended = new Promise<number>((resolve) => socket.once('close', resolve))
  void ended.then(() => waiting.forEach((settle) => settle('info')))

  return {
    opened,
    ended,
    async request(method, params) {
      if (socket.readyState !== socket.OPEN) return 'info'
      lastId += 1
      const id = lastId
      let timer: NodeJS.Timeout | undefined
      const outcome = await new Promise<Outcome>((resolve) => {
        waiting.set(id, resolve)
        timer = setTimeout(resolve, responseMilliseconds, 'info')
        socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
      })
      clearTimeout(timer)
      waiting.delete(id)
      return outcome
    },
    close: () => socket.terminate(),
  }
}

function outcomeOf(error: Frame['error']): Outcome {
  if (error === undefined) return 'ok'
  return error.code === internalError ? 'info' : 'fail'
}
