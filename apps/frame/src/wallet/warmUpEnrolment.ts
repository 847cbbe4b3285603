import { wipeKeyShares, type KeyShare } from '../custody/keyShare.ts'
import {
  createRecoveryKey,
  openRecoveryKeyShare,
  sealRecoveryKeyShare,
  unwrapRecoveryKey,
  wrapRecoveryKey,
} from '../custody/recoveryMethod.ts'
import { sealVault } from '../custody/sealVault.ts'
import { signStoreProof } from '../custody/signStoreProof.ts'
import { signWalletProof } from '../custody/signWalletProof.ts'
import { createKeyShareSet, createWalletKey, splitKey } from '../custody/splitKey.ts'
import { createEntropy } from '../custody/walletKeys.ts'
import { deriveAccounts, proveShares } from './enrol.ts'

/** The engine optimises code that has run a few times. */
const runs = 3

/**
 * Runs the cryptography of an enrolment on random keys of no wallet, and stores nothing. The first runs take several times as long
 * as later ones, which would delay a login.
 *
 * @example void warmUpEnrolment()
 */
export async function warmUpEnrolment(): Promise<void> {
  for (let run = 0; run < runs; run += 1) await enrolNothing()
}

async function enrolNothing(): Promise<void> {
  const entropy = createEntropy()
  const [walletKey, recoveryKey, methodKey] = [createWalletKey(), createRecoveryKey(), createRecoveryKey()]
  const walletId = crypto.getRandomValues(new Uint8Array(16))
  const shares: KeyShare[] = []
  const way = { walletId, method: 'auto' } as const
  try {
    const [accounts, vault, wrapped] = await Promise.all([
      deriveAccounts(entropy),
      sealVault(walletKey, { walletId, epoch: 1 }, { entropy, createdAt: 0 }),
      wrapRecoveryKey(methodKey, way, recoveryKey),
    ])
    const set = createKeyShareSet({ walletId, epoch: 1 })
    const { device, auth, recovery } = await splitKey(walletKey, set)
    shares.push(device, auth, recovery)
    const sealed = await sealRecoveryKeyShare(recoveryKey, recovery)
    const unwrapped = await unwrapRecoveryKey(methodKey, way, wrapped)
    const opened = await openRecoveryKeyShare(unwrapped, set, sealed).finally(() => unwrapped.fill(0))
    shares.push(opened)
    await proveShares([device, auth, opened], { vault, accounts })
    await signWalletProof(entropy, new Uint8Array(32))
    signStoreProof(entropy, new Uint8Array(32))
  } finally {
    for (const each of [entropy, walletKey, recoveryKey, methodKey]) each.fill(0)
    wipeKeyShares(...shares)
  }
}
