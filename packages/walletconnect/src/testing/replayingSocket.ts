import { WebSocket } from 'ws'
import type { RelayWebSocket } from '../relay/relayConnection.ts'

/** A relay that recorded what it delivered to a client and delivers it again. */
export type ReplayingSocket = {
  /** Opens a connection whose messages are recorded. */
  createSocket(url: string): RelayWebSocket
  /** The recorded deliveries on a topic, oldest first. */
  recorded(topic: string): readonly string[]
  /** Delivers a recorded message over the newest connection, as a new one. */
  replay(frame: string): void
}

/** Creates a hostile relay in front of an honest one. */
export function createReplayingSocket(): ReplayingSocket {
  const frames: string[] = []
  const sockets: WebSocket[] = []
  let replays = 0
  return {
    createSocket(url) {
      const socket = new WebSocket(url)
      sockets.push(socket)
      socket.on('message', (data: Buffer) => {
        const text = data.toString()
        if (text.includes('irn_subscription') && !frames.includes(text)) frames.push(text)
      })
      return socket
    },
    recorded: (topic) => frames.filter((frame) => frame.includes(topic)),
    replay(frame) {
      replays += 1
      // The frames are JSON objects of the relay of the test.
      const push = JSON.parse(frame) as object
      sockets.at(-1)?.emit('message', Buffer.from(JSON.stringify({ ...push, id: Date.now() * 1000 + replays })), false)
    },
  }
}
