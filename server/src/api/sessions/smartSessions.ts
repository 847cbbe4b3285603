import { randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Chain } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Database } from '../../kit/database/database.ts'
import { createKeyEncryption, type KeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { readMasterKeys } from '../../kit/secrets/masterKeys.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createSignatureVerifier } from '../../names/signatureVerifier.ts'
import {
  createSmartSessionStore,
  type SmartSession,
  type SmartSessionStore,
  type SessionTerms,
} from './smartSessionStore.ts'

/** An account: its CAIP-10 id, chain and address. */
export type SessionAccount = { id: string; chainId: number; address: `0x${string}` }

/** Permissions that wallets granted to apps. This server holds one key of each. */
export type SmartSessions = {
  create(account: SessionAccount, project: string, terms: SessionTerms): Promise<{ pci: string; publicKey: string }>
  active(account: SessionAccount): Promise<readonly SmartSession[]>
  /** @throws Problem 400 `pci` if the session is unknown, inactive, revoked or expired */
  contextOf(account: SessionAccount, pci: string): Promise<string>
  activate(account: SessionAccount, pci: string, context: string, terms: SessionTerms): Promise<void>
  /** @throws Problem 400 `signature` unless the account signed the revocation */
  revoke(account: SessionAccount, pci: string, signature: `0x${string}`): Promise<void>
}

export type SmartSessionsDependencies = {
  database: Database
  chains: readonly Chain[]
  pools: EndpointPools
  clock: Clock
  /** The file with the master keys that encrypt session keys. */
  keysFile: string
}

/** Formats the text that an account signs to revoke a session. */
function formatRevocation({ id }: SessionAccount, pci: string): string {
  return `Revoke the permission ${pci} of ${id}.`
}

/** Creates the sessions. The key file is read or created with the first session. */
export function createSmartSessions({
  database,
  chains,
  pools,
  clock,
  keysFile,
}: SmartSessionsDependencies): SmartSessions {
  const store = createSmartSessionStore(database)
  const signatures = createSignatureVerifier(chains, pools)
  let encryption: Promise<KeyEncryption> | undefined

  const openEncryption = (): Promise<KeyEncryption> => {
    encryption ??= readMasterKeys(keysFile).then(createKeyEncryption)
    // A failed read is tried again.
    encryption.catch(() => (encryption = undefined))
    return encryption
  }

  return {
    async create({ id }, project, terms) {
      assertNotExpired(terms, clock)
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
      const { context } = await findUsable(store, clock, account, pci)
      if (context === undefined) throw new Problem(400, 'pci', 'Permission is not active yet')
      return context
    },
    async activate(account, pci, context, terms) {
      assertNotExpired(terms, clock)
      const known = await findUsable(store, clock, account, pci)
      // Idempotent, because the first response may have been lost.
      if (known.context === context) return
      const isActive = known.context === undefined && (await store.activate(pci, context, terms))
      if (!isActive) throw new Problem(400, 'pci', 'Permission is active already')
    },
    async revoke(account, pci, signature) {
      await findUsable(store, clock, account, pci)
      const { address, chainId } = account
      const signed = { address, message: formatRevocation(account, pci), signature }
      const signer = await signatures.findSigner(signed, chainId)
      if (signer === undefined) throw new Problem(400, 'signature', 'This is not the signature of the account.')
      await store.revoke(pci, clock.now())
    },
  }
}

/** @throws Problem 400 `pci` if the session is unknown, revoked or expired */
async function findUsable(
  store: SmartSessionStore,
  clock: Clock,
  { id }: SessionAccount,
  pci: string,
): Promise<SmartSession> {
  const session = await store.find(pci)
  // Sessions of other accounts count as unknown.
  if (session?.account !== id) throw new Problem(400, 'pci', 'This permission is unknown.')
  if (session.revokedAt !== undefined) throw new Problem(400, 'pci', 'Permission is revoked')
  if (session.expiry * 1_000 <= clock.now()) throw new Problem(400, 'pci', 'Permission is expired')
  return session
}

/** @throws Problem 400 `expiry` */
function assertNotExpired({ expiry }: SessionTerms, clock: Clock): void {
  if (expiry * 1_000 <= clock.now()) throw new Problem(400, 'expiry', 'The expiry must be in the future.')
}
