import type { Clock } from '@latchkey/core'
import { randomInteger } from '../crypto/bytes.ts'
import { openEnvelope, parseEnvelope, sealEnvelope } from '../crypto/envelope.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { formatPlainEnvelope } from '../crypto/plainEnvelope.ts'
import { tryParseJson } from '../primitives/unknownRecord.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { LinkRoutes } from './linkMode/linkRoutes.ts'
import { parsePayload, type Payload } from './payload.ts'
import type { PeerError } from './peerError.ts'

/** Formats JSON-RPC, sealed with the keys of topics. Throws `session/not-found` if a topic has no key. */
export type PayloadCodec = {
  /** @param id defaults to the next one */
  formatRequest(topic: string, method: string, params: object, id?: number): { id: number; message: string }
  /** Creates an id that begins with the time, and is higher than earlier ones and than `after`. */
  nextId(after?: number): number
  formatResult(topic: string, id: number, result: unknown): string
  formatError(topic: string, id: number, error: PeerError): string
  /** Returns `undefined` for messages that cannot be decrypted or parsed. */
  parse(topic: string, message: string): Payload | undefined
}

/**
 * Creates the codec of one side.
 *
 * @param links topics in link mode, whose messages are not encrypted
 */
export function createPayloadCodec(keyring: Keyring, clock: Clock, links?: Pick<LinkRoutes, 'find'>): PayloadCodec {
  let lastId = 0

  /** Unique. Has sixteen digits, so that any JSON parser keeps them. */
  function nextId(after = 0): number {
    lastId = Math.max(Math.floor(clock.now()) * 1000 + randomInteger(1000), lastId + 1, after + 1)
    return lastId
  }

  function formatPayload(topic: string, payload: object): string {
    if (links?.find(topic) !== undefined) return formatPlainEnvelope(JSON.stringify(payload))
    const key = keyring.get(topic)
    if (key === undefined) throw walletConnectError('session/not-found', { topic })
    return sealEnvelope(JSON.stringify(payload), key)
  }

  return {
    formatRequest: (topic, method, params, id = nextId()) => ({
      id,
      message: formatPayload(topic, { id, jsonrpc: '2.0', method, params }),
    }),
    nextId,
    formatResult: (topic, id, result) => formatPayload(topic, { id, jsonrpc: '2.0', result }),
    formatError: (topic, id, { code, message }) =>
      formatPayload(topic, { id, jsonrpc: '2.0', error: { code, message } }),
    parse(topic, message) {
      const key = keyring.get(topic)
      const envelope = parseEnvelope(message)
      // Type 1 responds to a one-click sign-in, whose sender intercepts it earlier.
      if (key === undefined || envelope?.type !== 0) return undefined
      return parsePayload(tryParseJson(openEnvelope(envelope, key) ?? ''))
    },
  }
}
