import { hex } from '@scure/base'
import { fail } from '../faults.ts'
import { createOwner, type Owner } from '../page/owner.ts'
import { keysOf, type BitcoinChain, type BitcoinKey, type PaymentKind } from './keys.ts'

/** The wallet's keys, chain and page permission. Survives reloads, as in a real extension. */
export type BitcoinState = {
  readonly owner: Owner
  keys(): readonly BitcoinKey[]
  chain: BitcoinChain
  permitted: boolean
  gone: boolean
  /** The next approval request stays pending forever. */
  silentNext: boolean
  isOpen(): boolean
  letIn(): Promise<void>
  request(): Promise<void>
  select(privateKeys: readonly string[]): void
  removeFirst(): void
  lock(): void
  unlock(): void
}

type InitialState = {
  privateKeys: readonly string[]
  chain: BitcoinChain
  paymentKind: PaymentKind
  permitted: boolean
}

/** Creates the state of an unlocked wallet. @param beginning `privateKeys` are 32 bytes as hex */
export function createBitcoinState({ privateKeys, chain, paymentKind, permitted }: InitialState): BitcoinState {
  let secrets = privateKeys.map(readSecret)
  let locked = false
  let waiting: Array<() => void> = []
  const state: BitcoinState = {
    owner: createOwner(),
    chain,
    permitted,
    gone: false,
    silentNext: false,
    keys() {
      const [secret] = secrets
      return secret === undefined ? [] : keysOf(secret, paymentKind, state.chain)
    },
    isOpen: () => state.permitted && !locked && secrets.length > 0,
    async letIn() {
      if (locked) await new Promise<void>((resolve) => waiting.push(resolve))
      state.permitted = true
    },
    async request() {
      if (state.silentNext) {
        state.silentNext = false
        await fail({ kind: 'silence' })
      }
      await state.owner.requestApproval()
    },
    select: (next) => void (secrets = next.map(readSecret)),
    removeFirst: () => void (secrets = secrets.slice(1)),
    lock: () => void (locked = true),
    unlock() {
      locked = false
      for (const goOn of waiting) goOn()
      waiting = []
    },
  }
  return state
}

function readSecret(text: string): Uint8Array {
  return hex.decode(text.replace(/^0x/, ''))
}
