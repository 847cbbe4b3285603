import type { Clock } from '@latchkey/core'
import { getField } from '@latchkey/protocol'
import { safeError, type SafeChannel } from './safeChannel.ts'

/** Milliseconds between two checks if all owners signed. */
const intervalMs = 2_000
/** Together as long as the approval timeout of other wallets. */
const mostPolls = 150

/** Asks the owners of a Safe to sign off-chain. An on-chain signature would be a transaction, and is not requested. */
export async function signWithSafe(
  channel: SafeChannel,
  clock: Clock,
  method: 'signMessage' | 'signTypedMessage',
  params: object,
): Promise<string> {
  // A Safe that does not know this setting decides itself.
  channel.request('rpcCall', { call: 'safe_setSettings', params: [{ offChainSigning: true }] }).catch(() => undefined)
  const response = await channel.request(method, params)
  const [signature, messageHash] = [getField(response, 'signature'), getField(response, 'messageHash')]
  if (typeof signature === 'string' && signature !== '0x') return signature
  if (typeof messageHash !== 'string') {
    throw safeError(4200, 'This Safe only signs on-chain. Turn on off-chain signing in its settings.')
  }
  for (let count = 0; count < mostPolls; count += 1) {
    const collected = await channel.request('getOffChainSignature', messageHash).catch(() => undefined)
    if (typeof collected === 'string' && collected.length > 2) return collected
    await new Promise<void>((resolve) => clock.after(intervalMs, resolve))
  }
  throw safeError(-32_603, 'The other owners of the Safe did not sign in time.')
}

/** Decodes a message to the text that the owners read. Bytes that are not UTF-8 stay hex. */
export function decodeMessageText(message: unknown): string {
  const hex = /^0x((?:[0-9a-f]{2})*)$/i.exec(String(message))?.[1]
  if (hex === undefined) return String(message)
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return String(message)
  }
}
