import { randomBytes } from 'node:crypto'
import {
  openAuthOperator,
  openShareStoreOperator,
  type AuthOperator,
  type ServiceKeys,
  type ShareStoreLoot,
  type ShareStoreOperator,
} from '@latchkey/server/testing'
import { decodeKeyShare, type KeyShare } from '../custody/keyShare.ts'
import { passkeyKey } from '../custody/passkeyKey.ts'
import { createPasswordKey, restorePasswordKey, type Evaluate } from '../custody/passwordKey.ts'
import { openRecoveryKeyShare, unwrapRecoveryKey, type RecoveryMethod } from '../custody/recoveryMethod.ts'
import type { WrappedRecoveryKey } from '../services/shareStore.ts'
import { createWallet, openWithShares, type OpenWallet, type RecoveryMethodKey } from '../wallet/enrol.ts'
import { rotate } from '../wallet/rotate.ts'
import type { GetMethodKey } from '../wallet/unwrapWithAny.ts'
import { startCustodyWorld, type CustodyWorld, type TestDevice } from './custodyWorld.ts'

/** A wallet with one recovery method. */
export type Victim = { readonly device: TestDevice; readonly wallet: OpenWallet; readonly email: string }

/** The recovery method of a victim: automatic, a weak or a strong password, or a passkey. */
export type VictimMethod = 'automatic' | 'weak' | 'strong' | 'passkey'

/** The services that an attacker controls. */
export type Operators = { readonly auth?: AuthOperator; readonly shares?: ShareStoreOperator }

/** Wallets, and operators that attack them with databases, key files and the code of the services. */
export type CustodyAttack = {
  readonly world: CustodyWorld
  readonly operators: Required<Operators>
  createVictim(method: VictimMethod): Promise<Victim>
  /** Tries every key that the operators have on every stored method, and every pair of shares. */
  rebuild(victim: Victim, operators: Operators): Promise<OpenWallet | undefined>
  /** Opens the recovery shares that the operators can open. */
  openRecoveryShares(victim: Victim, operators: Operators): Promise<readonly KeyShare[]>
  /** Returns the keys that the owner gives to the page. */
  ownerKeys(device: TestDevice, password: string): GetMethodKey
  close(): Promise<void>
}

export const victimPasswords = { weak: 'sunshine2024', strong: 'vT9#kd02-xLq four calm herons' } as const
/** An attacker's dictionary. */
const guesses = ['password2026', 'iloveyou2024', 'letmein12345', 'sunshine2024', 'qwertyuiop12']
const credential = { id: randomBytes(20), output: randomBytes(32) }
/** Fast, so that guesses take no minutes. */
const stretchQuickly = async (input: Uint8Array, salt: Uint8Array) => Uint8Array.from([...input.slice(0, 16), ...salt])

/** Starts the services, and opens their databases with their key files. */
export async function startCustodyAttack(layout: 'one' | 'split'): Promise<CustodyAttack> {
  const masterKeys: ServiceKeys = {
    auth: [{ id: 'auth', key: randomBytes(32) }],
    shares: [{ id: 'shares', key: randomBytes(32) }],
  }
  const world = await startCustodyWorld({ layout, masterKeys })
  const operators = {
    auth: await openAuthOperator(world.services.authDatabaseUrl, masterKeys.auth),
    shares: await openShareStoreOperator(world.services.sharesDatabaseUrl, masterKeys.shares),
  }
  let victims = 0
  return {
    world,
    operators,
    createVictim: (method) => createVictim(world, method, `victim-${++victims}@example.org`),
    rebuild,
    openRecoveryShares,
    ownerKeys: (device, password) => (wrap) => ownerKey(device, password, wrap),
    async close() {
      await operators.auth.leave()
      await operators.shares.leave()
      await world.close()
    },
  }
}

async function createVictim(world: CustodyWorld, method: VictimMethod, email: string): Promise<Victim> {
  const device = await world.fresh(email)
  const auto = { id: 'auto', method: 'auto', key: await device.shares.autoKey(), facts: '{}' } as const
  const wallet = await createWallet(device, [auto], world.now())
  if (method === 'automatic') return { device, wallet, email }
  const getMethodKey: GetMethodKey = (wrap) => ownerKey(device, '', wrap)
  await rotate(device, { getMethodKey, drop: ['auto'], add: [await createMethod(method, device)] })
  return { device, wallet, email }
}

async function createMethod(
  method: Exclude<VictimMethod, 'automatic'>,
  { account }: TestDevice,
): Promise<RecoveryMethodKey> {
  const { id, output } = credential
  if (method === 'passkey') {
    return { id: id.toString('base64url'), method, key: passkeyKey(output, id), facts: '{}' }
  }
  const made = await createPasswordKey({
    password: victimPasswords[method],
    evaluate: account.evaluate,
    stretch: stretchQuickly,
  })
  return { id: 'password', method: 'password', ...made }
}

async function ownerKey(
  { shares, account }: TestDevice,
  password: string,
  { method, facts }: WrappedRecoveryKey,
): Promise<Uint8Array> {
  if (method === 'auto') return shares.autoKey()
  if (method === 'passkey') return passkeyKey(credential.output, credential.id)
  return restorePasswordKey({ password, facts, evaluate: account.evaluate, stretch: stretchQuickly })
}

async function rebuild(victim: Victim, operators: Operators): Promise<OpenWallet | undefined> {
  const { user } = victim.device
  const loot = await operators.shares?.loot(user)
  const authShares = ((await operators.auth?.shares(user)) ?? []).map(decodeKeyShare)
  const all = [...authShares, ...(await openRecoveryShares(victim, operators))]
  for (const one of all) {
    for (const other of all) {
      const opened = await openWithShares(one, other, loot?.vault ?? randomBytes(64)).catch(() => undefined)
      if (opened !== undefined) return opened
    }
  }
  return undefined
}

async function openRecoveryShares({ device: { user } }: Victim, operators: Operators): Promise<readonly KeyShare[]> {
  const loot = await operators.shares?.loot(user)
  const opened: KeyShare[] = []
  for (const wrap of loot?.wraps ?? []) {
    for (const key of await listKeys(user, wrap, { automaticKey: loot?.automaticKey, auth: operators.auth })) {
      for (const set of loot?.sets ?? []) {
        // The share store writes these methods only.
        const place = { walletId: set.walletId, method: wrap.method as RecoveryMethod }
        const recoveryKey = await unwrapRecoveryKey(key, place, wrap.wrapped).catch(() => undefined)
        if (recoveryKey !== undefined) opened.push(await openRecoveryKeyShare(recoveryKey, set, set.share))
      }
    }
  }
  return opened
}

/** Lists the keys that operators may try on a method: what the share store keeps, and guesses. */
async function listKeys(
  user: string,
  { facts, method }: ShareStoreLoot['wraps'][number],
  { automaticKey, auth }: Pick<ShareStoreLoot, 'automaticKey'> & Pick<Operators, 'auth'>,
): Promise<readonly Uint8Array[]> {
  const candidateKeys = [...(automaticKey === undefined ? [] : [automaticKey]), randomBytes(32), new Uint8Array(32)]
  if (method !== 'password') return candidateKeys
  // Without the secret of the auth service, an attacker can only make an evaluation up.
  const evaluate: Evaluate = async (blinded) => auth?.evaluate(user, blinded) ?? { evaluated: blinded, version: 1 }
  const guessed = guesses.map((password) => restorePasswordKey({ password, facts, evaluate, stretch: stretchQuickly }))
  return [...candidateKeys, ...(await Promise.all(guessed))]
}
