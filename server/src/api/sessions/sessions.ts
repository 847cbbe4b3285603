import { randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Chain } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../kit/database.ts'
import { createKeyEncryption, type KeyEncryption } from '../../kit/keyEncryption.ts'
import { readMasterKeys } from '../../kit/masterKeys.ts'
import type { Pools } from '../../kit/pools.ts'
import { Problem } from '../../kit/problem.ts'
import { createSignatures } from '../../names/signatures.ts'
import { createSessionStore, type SmartSession, type Terms } from './sessionStore.ts'

/** An account by its CAIP-10 id, in parts. */
export type SessionAccount = { id: string; chainId: number; address: `0x${string}` }

/** Sessions in which an app may do what a wallet permitted, and this server holds one of the keys. */
export type Sessions = {
  create(account: SessionAccount, project: string, terms: Terms): Promise<{ pci: string; publicKey: string }>
  active(account: SessionAccount): Promise<readonly SmartSession[]>
  /** @throws Problem 400 `pci` when it is unknown, not active yet, or over */
  contextOf(account: SessionAccount, pci: string): Promise<string>
  activate(account: SessionAccount, pci: string, context: string, terms: Terms): Promise<void>
  /** @throws Problem 400 `signature` when it is not the account's own */
  revoke(account: SessionAccount, pci: string, signature: `0x${string}`): Promise<void>
}

export type SessionsParts = {
  database: Database
  chains: readonly Chain[]
  pools: Pools
  clock: Clock
  /** The file of the keys that session keys are sealed under. */
  keysFile: string
}

/** What an account signs to end a session. */
function revocationOf({ id }: SessionAccount, pci: string): string {
  return `Revoke the permission ${pci} of ${id}.`
}

/** Opens the sessions. The file of keys is read, or made, when the first session is created. */
export function createSessions({ database, chains, pools, clock, keysFile }: SessionsParts): Sessions {
  const store = createSessionStore(database)
  const signatures = createSignatures(chains, pools)
  let encryption: Promise<KeyEncryption> | undefined

  const openEncryption = (): Promise<KeyEncryption> => {
    encryption ??= readMasterKeys(keysFile).then(createKeyEncryption)
    // What could not be read now may be readable later.
    encryption.catch(() => (encryption = undefined))
    return encryption
  }

  /** @throws Problem 400 `pci` */
  async function find({ id }: SessionAccount, pci: string): Promise<SmartSession> {
    const session = await store.find(pci)
    // A session of somebody else is not known here.
    if (session === undefined || session.account !== id)
      throw new Problem(400, 'pci', 'This permission is not known here.')
    if (session.revokedAt !== undefined) throw new Problem(400, 'pci', 'Permission is revoked')
    if (session.expiry * 1_000 <= clock.now()) throw new Problem(400, 'pci', 'Permission is expired')
    return session
  }

  return {
    async create({ id }, project, terms) {
      mustLast(terms, clock)
      const secret = secp256k1.utils.randomSecretKey()
      try {
        const publicKey = Buffer.from(secp256k1.getPublicKey(secret, false)).toString('hex')
        const pci = randomUUID()
        const sealed = (await openEncryption()).seal({ table: 'smart_session', row: pci, owner: id }, secret)
        const state = { context: undefined, createdAt: clock.now(), revokedAt: undefined }
        await store.add({ pci, account: id, project, ...terms, ...state }, { publicKey, sealed })
        return { pci, publicKey }
      } finally {
        secret.fill(0)
      }
    },
    active: ({ id }) => store.active(id),
    async contextOf(account, pci) {
      const { context } = await find(account, pci)
      if (context === undefined) throw new Problem(400, 'pci', 'Permission is not active yet')
      return context
    },
    async activate(account, pci, context, terms) {
      mustLast(terms, clock)
      const known = await find(account, pci)
      // Asked again, because the answer was lost.
      if (known.context === context) return
      const isActive = known.context === undefined && (await store.activate(pci, context, terms))
      if (!isActive) throw new Problem(400, 'pci', 'Permission is active already')
    },
    async revoke(account, pci, signature) {
      await find(account, pci)
      const { address, chainId } = account
      const isOwn = await signatures.isSigned({ address, message: revocationOf(account, pci), signature }, chainId)
      if (!isOwn) throw new Problem(400, 'signature', 'This is not the signature of the account.')
      await store.revoke(pci, clock.now())
    },
  }
}

/** @throws Problem 400 `expiry` */
function mustLast({ expiry }: Terms, clock: Clock): void {
  if (expiry * 1_000 <= clock.now()) throw new Problem(400, 'expiry', 'A permission has to last.')
}
