import type { Clock } from '@latchkey/core'
import { safeError, type SafeLine } from './safeLine.ts'
import { read } from './safeOrders.ts'

/** How often it is asked whether all owners signed a message. */
const pollMilliseconds = 2_000
/** How many times: for as long as a wallet is waited for. */
const mostPolls = 150

/** Asks a Safe's owners to sign off the chain. A signature on the chain would be a transaction, and is not asked for. */
export async function signWithSafe(
  line: SafeLine,
  clock: Clock,
  method: 'signMessage' | 'signTypedMessage',
  params: object,
): Promise<string> {
  // A Safe that does not know this setting asks its owner in its own way.
  line.ask('rpcCall', { call: 'safe_setSettings', params: [{ offChainSigning: true }] }).catch(() => undefined)
  const answer = await line.ask(method, params)
  const [signature, messageHash] = [read(answer, 'signature'), read(answer, 'messageHash')]
  if (typeof signature === 'string' && signature !== '0x') return signature
  if (typeof messageHash !== 'string') {
    throw safeError(4200, 'This Safe signs on the chain only. Turn off-chain signing on in its settings.')
  }
  for (let count = 0; count < mostPolls; count += 1) {
    const collected = await line.ask('getOffChainSignature', messageHash).catch(() => undefined)
    if (typeof collected === 'string' && collected.length > 2) return collected
    await new Promise<void>((resolve) => clock.after(pollMilliseconds, resolve))
  }
  throw safeError(-32_603, 'The other owners of the Safe did not sign in time.')
}

/** A message as its owners read it: text, unless its bytes are none. */
export function textOf(message: unknown): string {
  const hex = /^0x((?:[0-9a-f]{2})*)$/i.exec(String(message))?.[1]
  if (hex === undefined) return String(message)
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return String(message)
  }
}
