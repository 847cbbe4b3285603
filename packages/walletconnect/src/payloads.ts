import type { Clock } from '@latchkey/core'
import { randomInteger } from './bytes.ts'
import { open, readEnvelope, seal } from './crypto.ts'
import { walletConnectError } from './errors.ts'
import type { Keyring } from './keyring.ts'
import type { PeerError } from './messages.ts'
import { isRecord, parseJson, shortText } from './parse.ts'
import { writePlain, type Links } from './signIn/linkMode.ts'

/** What the other side sent. */
export type Payload =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly code: number | undefined; readonly reason: string }

/** JSON-RPC, sealed with the keys of topics. Writing throws `session/not-found` where there is no key. */
export type Payloads = {
  request(topic: string, method: string, params: object): { id: number; message: string }
  result(topic: string, id: number, result: unknown): string
  error(topic: string, id: number, error: PeerError): string
  /** Nothing for what cannot be opened, read or used. */
  read(topic: string, message: string): Payload | undefined
}

/** @param links whose topics carry what is written as it is */
export function createPayloads(keyring: Keyring, clock: Clock, links?: Pick<Links, 'of'>): Payloads {
  let lastId = 0

  /** Sixteen digits, so that any JSON parser keeps them; never the same twice. */
  function nextId(): number {
    lastId = Math.max(Math.floor(clock.now()) * 1000 + randomInteger(1000), lastId + 1)
    return lastId
  }

  function sealed(topic: string, payload: object): string {
    if (links?.of(topic) !== undefined) return writePlain(JSON.stringify(payload))
    const key = keyring.get(topic)
    if (key === undefined) throw walletConnectError('session/not-found', { topic })
    return seal(JSON.stringify(payload), key)
  }

  return {
    request(topic, method, params) {
      const id = nextId()
      return { id, message: sealed(topic, { id, jsonrpc: '2.0', method, params }) }
    },
    result: (topic, id, result) => sealed(topic, { id, jsonrpc: '2.0', result }),
    error: (topic, id, { code, message }) => sealed(topic, { id, jsonrpc: '2.0', error: { code, message } }),
    read(topic, message) {
      const key = keyring.get(topic)
      const envelope = readEnvelope(message)
      // Type 1 answers a one-click sign-in; who asked for one takes it before it gets here.
      if (key === undefined || envelope?.type !== 0) return undefined
      return readPayload(parseJson(open(envelope, key) ?? ''))
    },
  }
}

/** Reads a JSON-RPC message; nothing when it is none. */
export function readPayload(payload: unknown): Payload | undefined {
  if (!isRecord(payload)) return undefined
  const { id, method, params, error } = payload
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (typeof method === 'string') return { kind: 'request', id, method, params }
  if (!isRecord(error)) return 'result' in payload ? { kind: 'result', id, result: payload.result } : undefined
  const code = typeof error.code === 'number' ? error.code : undefined
  return { kind: 'error', id, code, reason: shortText(error.message, 'no reason given') }
}
