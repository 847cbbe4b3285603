import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { createEntropy, deriveEvm, deriveSolana } from '../custody/walletKeys.ts'
import { createKeyShareSet, createWalletKey, splitKey } from '../custody/splitKey.ts'
import { sealVault } from '../custody/sealVault.ts'
import { signWalletProof } from '../custody/signWalletProof.ts'
import { storeProofKey, type StoreSignature } from '../custody/signStoreProof.ts'
import type { ShareStore } from '../services/shareStore.ts'
import { createMemoryStores, type MemoryStores } from '../testing/memoryStores.ts'
import { interceptStores } from '../testing/interceptStores.ts'
import { createWallet, deriveAccounts, enrol, proveShares, type RecoveryMethodKey } from './enrol.ts'
import { rebuildAuthShare, rebuildRecoveryShare } from './rebuildAuthShare.ts'
import { recover } from './recover.ts'
import { rotate } from './rotate.ts'

const methodKey = new Uint8Array(32).fill(7)
const auto: RecoveryMethodKey = { id: 'auto', method: 'auto', key: methodKey, facts: '{}' }
const getMethodKey = async () => methodKey.slice()
const challenge = new Uint8Array(32).fill(5)
const text = new Uint8Array(40).fill(6)

type StoredSet = Parameters<ShareStore['prepare']>[0]

/** Asks every commit for its proof, and keeps the proofs and what the stores got. */
function watchProofs(stores: MemoryStores) {
  const wallet: Uint8Array[] = []
  const store: StoreSignature[] = []
  const prepared: StoredSet[] = []
  const accounts: unknown[] = []
  return {
    wallet,
    store,
    prepared,
    accounts,
    stores: {
      ...stores,
      auth: {
        ...stores.auth,
        prepare: async (set) => {
          accounts.push(set.accounts)
          await stores.auth.prepare(set)
        },
        commit: async (_, prove) => void wallet.push((await prove?.(challenge)) ?? new Uint8Array()),
        commitProven: async (_, prove) => void wallet.push(await prove(challenge)),
      },
      shares: {
        ...stores.shares,
        prepare: async (set) => {
          prepared.push(set)
          await stores.shares.prepare(set)
        },
        commit: async (id, sign) => {
          store.push((await sign?.(text)) ?? expect.fail('no signature'))
          await stores.shares.commit(id)
        },
        commitProven: async (id, sign) => {
          store.push(await sign(text))
          await stores.shares.commitProven(id, sign)
        },
      },
    } satisfies MemoryStores,
  }
}

describe('an enrolment', () => {
  const actions = {
    creation: { act: (stores: MemoryStores) => createWallet(stores, [auto], 1), proofs: 1, isFirst: true },
    rotation: { act: (stores: MemoryStores) => rotate(stores, { getMethodKey }), proofs: 1, isFirst: false },
    recovery: { act: (stores: MemoryStores) => recover(stores, getMethodKey), proofs: 2, isFirst: false },
    'replacement of the auth share': {
      act: (stores: MemoryStores) => rebuildAuthShare(stores, getMethodKey),
      proofs: 2,
      isFirst: false,
    },
    'replacement of the recovery share': {
      act: (stores: MemoryStores) => rebuildRecoveryShare(stores, [auto]),
      proofs: 1,
      isFirst: true,
    },
  }

  test.each(Object.entries(actions))(
    'by %s gives both services proofs of the wallet, and its accounts to the auth service only',
    async (name, { act, proofs, isFirst }) => {
      const memory = createMemoryStores()
      if (name !== 'creation') await createWallet(memory, [auto], 1)
      const watched = watchProofs(memory)
      const { entropy, accounts } = await act(watched.stores)
      const key = storeProofKey(entropy)
      const proof = await signWalletProof(entropy, challenge)
      expect(watched.wallet).toEqual(Array.from({ length: proofs }, () => proof))
      expect(watched.store.map(({ publicKey }) => publicKey)).toEqual([key])
      expect(watched.store.every(({ signature }) => ed25519.verify(signature, text, key))).toBe(true)
      // Later epochs keep the key of the first one.
      expect(watched.prepared.map(({ proofKey }) => proofKey)).toEqual([isFirst ? key : undefined])
      const [evm, solana] = [await deriveEvm(entropy, 0), await deriveSolana(entropy, 0)]
      expect(accounts).toEqual([
        { namespace: 'eip155', address: evm.address },
        { namespace: 'solana', address: solana.address },
      ])
      expect(watched.accounts).toEqual([accounts])
      expect(JSON.stringify(watched.prepared)).not.toContain(evm.address)
    },
  )

  test('that fails removes the record of a new device, and restores that of a known one', async () => {
    const stores = createMemoryStores()
    const steps: string[] = []
    const watched = interceptStores(stores, async ({ step, run }) => {
      steps.push(step)
      return run()
    })
    stores.failAt('auth.commit')
    await expect(createWallet(watched, [auto], 1)).rejects.toThrow('died')
    expect(steps.at(-1)).toBe('device.clear')
    stores.failAt(undefined)
    await createWallet(stores, [auto], 1)
    const before = await stores.device.read()
    stores.failAt('auth.commit')
    await expect(recover(watched, getMethodKey)).rejects.toThrow('died')
    expect(steps.at(-1)).toBe('device.write')
    expect(await stores.device.read()).toEqual(before)
  })

  test('whose device share can’t be read back shows no address [K-14]', async () => {
    const stores = createMemoryStores()
    const wrong = interceptStores(stores, async ({ step, run }) => {
      const result = await run()
      return step === 'device.read' ? undefined : result
    })
    await expect(createWallet(wrong, [auto], 1)).rejects.toMatchObject({ code: 'custody/invalid-share' })
  })

  test('with accounts of another wallet fails [K-14]', async () => {
    const stores = createMemoryStores()
    const [entropy, walletKey] = [createEntropy(), createWalletKey()]
    const place = { walletId: new Uint8Array(16), epoch: 1 }
    const vault = await sealVault(walletKey, place, { entropy, createdAt: 1 })
    const accounts = await deriveAccounts(createEntropy())
    const first = { wraps: [], proofKey: storeProofKey(entropy) }
    const wrong = enrol(stores, { place, walletKey, recoveryKey: createWalletKey(), vault, accounts, first })
    await expect(wrong).rejects.toMatchObject({ code: 'custody/mismatch' })
    expect(await stores.device.read()).toBeUndefined()
  })
})

test('fewer than three shares prove nothing [K-14]', async () => {
  const [entropy, walletKey] = [createEntropy(), createWalletKey()]
  const place = { walletId: new Uint8Array(16), epoch: 1 }
  const vault = await sealVault(walletKey, place, { entropy, createdAt: 1 })
  const { device, auth, recovery } = await splitKey(walletKey, createKeyShareSet(place))
  const given = { vault, accounts: await deriveAccounts(entropy) }
  await proveShares([device, auth, recovery], given)
  for (const shares of [[], [device], [device, auth]]) {
    await expect(proveShares(shares, given)).rejects.toThrow('A share is missing.')
  }
})
