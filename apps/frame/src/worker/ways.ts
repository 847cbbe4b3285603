import { isLatchkeyError } from '@latchkey/protocol'
import { passkeyInput, passkeyKey } from '../custody/passkey.ts'
import { createPasswordKey, passwordKey, type Stretch } from '../custody/password.ts'
import { custodyError } from '../custody/custodyError.ts'
import type { Account } from '../services/account.ts'
import { ServiceRefusal } from '../services/ask.ts'
import { readBytes } from '../services/bytes.ts'
import type { KeptWrap, ShareKeeper } from '../services/services.ts'
import type { Keepers, OpenWallet, RecoveryWay } from '../wallet/enrol.ts'
import { addWay, rotate, type WayOf } from '../wallet/rotate.ts'
import type { KeyHolder, WayAnswer } from './keyHolder.ts'
import type { Tokens } from './session.ts'

/** The ways to get the wallet back, as they are gone and changed on this page. */
export type Ways = {
  readonly verbs: Pick<KeyHolder, 'ways' | 'addPassword' | 'addPasskey' | 'passkeyAsk' | 'provePasskey' | 'removeWay'>
  /** Goes a way by itself, by what the visitor gave, or by what was given before on this page. */
  wayOf(answers: readonly WayAnswer[]): WayOf
  /** Forgets what was given. */
  wipe(): void
}

export type WaysParts = {
  readonly account: Account
  readonly shares: ShareKeeper
  readonly stretch: Stretch
  /** Of who is logged in. @throws ServiceRefusal 401 */
  keepers(): Promise<Keepers>
  /** Takes over a wallet that was opened. */
  opened(wallet: OpenWallet): void
  /** Goes on with other tokens of the same login. */
  take(tokens: Tokens): Promise<void>
}

const passwordId = 'password'

export function createWays({ account, shares, stretch, keepers, opened, take }: WaysParts): Ways {
  const { evaluate } = account
  /** Keys of ways that were gone, so that nobody types a password twice in a minute. */
  const gone = new Map<string, Uint8Array>()

  async function keyOf(
    { id, method, facts }: KeptWrap,
    answers: readonly WayAnswer[],
  ): Promise<Uint8Array | undefined> {
    if (method === 'auto') return shares.autoKey()
    for (const answer of answers) {
      if (answer.method === 'password' && method === 'password') {
        return passwordKey({ password: answer.password, facts, evaluate, stretch })
      }
      if (answer.method === 'passkey' && method === 'passkey' && answer.id === id) {
        return passkeyKey(answer.output, readBytes(id))
      }
    }
    return gone.get(id)?.slice()
  }
  const wayOf =
    (answers: readonly WayAnswer[]): WayOf =>
    async (wrap) => {
      const key = await keyOf(wrap, answers)
      if (key !== undefined && wrap.method !== 'auto') keep(wrap.id, key)
      return key
    }
  function keep(id: string, key: Uint8Array): void {
    gone.get(id)?.fill(0)
    gone.set(id, key.slice())
  }
  async function add(way: RecoveryWay, staying: readonly WayAnswer[]): Promise<void> {
    const missing: KeptWrap[] = []
    const tried: WayOf = async (wrap) => {
      const key = await wayOf(staying)(wrap)
      if (key === undefined) missing.push(wrap)
      else missing.length = 0
      return key
    }
    try {
      await addWay({ shares }, way, tried)
      keep(way.id, way.key)
    } catch (error) {
      const [needed] = missing
      // Nothing that is there was gone: that is no wrong password.
      if (needed === undefined || !isLatchkeyError(error, 'custody/unreadable')) throw error
      throw custodyError('custody/way-needed', { method: needed.method })
    }
  }

  return {
    wayOf,
    wipe() {
      for (const key of gone.values()) key.fill(0)
      gone.clear()
    },
    verbs: {
      ways: async () => (await shares.ways()).map(({ id, method, createdAt }) => ({ id, method, createdAt })),
      async addPassword(password, staying = []) {
        const { key, facts } = await createPasswordKey({ password, evaluate, stretch })
        await add({ id: passwordId, method: 'password', key, facts }, staying)
      },
      async passkeyAsk() {
        const [kept, challenge] = await Promise.all([shares.find(), account.passkeyChallenge()])
        if (kept === undefined)
          throw custodyError('custody/invalid-share', { reason: 'the share store keeps no wallet' })
        return { input: passkeyInput(kept.walletId), challenge }
      },
      async addPasskey({ id, output, facts, publicKey }, staying = []) {
        const bytes = readBytes(id)
        await add({ id, method: 'passkey', key: passkeyKey(output, bytes), facts }, staying)
        // It spares the wait of a new device later; without it the passkey opens the wallet all the same.
        if (publicKey !== undefined) await orRefused(() => account.addPasskey({ id: bytes, publicKey }))
      },
      async provePasskey({ id, ...proof }) {
        await take(await account.provePasskey({ id: readBytes(id), ...proof }))
      },
      async removeWay(id, staying = []) {
        opened(await rotate(await keepers(), { wayOf: wayOf(staying), drop: [id] }))
        gone.delete(id)
        if (id !== passwordId && id !== 'auto') await orRefused(() => account.removePasskey(readBytes(id)))
      },
    },
  }
}

async function orRefused(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) throw error
  }
}
