import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { deriveEvm, deriveSolana, phraseOf } from '../custody/seed.ts'
import type { Account } from '../services/account.ts'
import { ServiceRefusal } from '../services/ask.ts'
import { readBytes } from '../services/bytes.ts'
import type { Keepers, OpenWallet } from '../wallet/enrol.ts'
import { rotate, type WayOf } from '../wallet/rotate.ts'
import type { KeyHolder, WayAnswer } from './keyHolder.ts'

export type AccountVerbs = Pick<
  KeyHolder,
  | 'updateEmail'
  | 'updateEmailPrimary'
  | 'updateEmailSecondary'
  | 'devices'
  | 'revokeDevice'
  | 'reveal'
  | 'requestDeletion'
  | 'cancelDeletion'
>

export type AccountParts = {
  readonly account: Account
  readonly projectId: string
  readonly isFramed: boolean
  /** Of who is logged in. @throws ServiceRefusal 401 */
  keepers(): Promise<Keepers>
  wayOf(answers: readonly WayAnswer[]): WayOf
  /** Takes over a wallet that was opened. */
  opened(wallet: OpenWallet): void
  /** The caller's own copy of what the wallet grows from. */
  entropy(): Promise<Uint8Array>
  /** Remembers another address of who is logged in. */
  renamed(email: string): Promise<void>
}

/** What who is logged in does with his account. */
export function createAccountVerbs(parts: AccountParts): AccountVerbs {
  const { account, projectId, isFramed, keepers, wayOf, opened, entropy, renamed } = parts
  let update: string | undefined
  const begun = (): string => {
    if (update === undefined) throw new ServiceRefusal(409, 'email', 'Begin with the new address.')
    return update
  }

  return {
    async updateEmail({ email, origin }) {
      const { id, action } = await account.updateEmail({ email, projectId, origin })
      update = id
      return { action }
    },
    updateEmailPrimary: (code) => account.updateEmailPrimary({ id: begun(), code }),
    async updateEmailSecondary(code) {
      const { email } = await account.updateEmailSecondary({ id: begun(), code })
      update = undefined
      await (await keepers()).shares.changeContact(email)
      await renamed(email)
      return { newEmail: email }
    },
    devices: async () => (await account.devices()).map(({ origin = '', ...device }) => ({ ...device, origin })),
    async revokeDevice(setId, { stolen, staying = [] }) {
      const kept = await keepers()
      const id = readBytes(setId)
      // The new epoch first: where the visitor has to open a way for it, nothing was done before that.
      if (stolen) opened(await rotate(kept, { wayOf: wayOf(staying) }))
      await kept.auth.revoke(id)
      await kept.shares.remove(id)
    },
    async reveal() {
      // No page that another one embeds has ever a reason to.
      if (isFramed) throw new ServiceRefusal(403, 'page', 'Secrets are shown on this site’s own page only.')
      await account.noteExport()
      const grown = await entropy()
      try {
        return secretsOf(grown)
      } finally {
        grown.fill(0)
      }
    },
    async requestDeletion() {
      const { at } = await account.requestDeletion()
      await (await keepers()).shares.requestDeletion()
      return { at }
    },
    async cancelDeletion() {
      await account.cancelDeletion()
      await (await keepers()).shares.cancelDeletion()
    },
  }
}

/** As other wallets import them: the words, the number of EVM chains, and Solana's 64 bytes. */
function secretsOf(entropy: Uint8Array): { phrase: string; evm: string; solana: string } {
  const [evm, solana] = [deriveEvm(entropy, 0).privateKey, deriveSolana(entropy, 0).privateKey]
  const pair = new Uint8Array(64)
  pair.set(solana)
  pair.set(ed25519.getPublicKey(solana), 32)
  try {
    const hex = Array.from(evm, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return { phrase: phraseOf(entropy), evm: `0x${hex}`, solana: base58.encode(pair) }
  } finally {
    for (const secret of [evm, solana, pair]) secret.fill(0)
  }
}
