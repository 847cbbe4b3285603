import { isLatchkeyError } from '@latchkey/protocol'
import { passkeyInput, passkeyKey } from '../custody/passkeyKey.ts'
import { createPasswordKey, restorePasswordKey, type Evaluate, type StretchPassword } from '../custody/passwordKey.ts'
import { custodyError } from '../custody/custodyError.ts'
import type { AccountService } from '../services/accountService.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { fromBase64url } from '../services/toBase64url.ts'
import type { SignForStore } from '../services/postProven.ts'
import type { WrappedRecoveryKey, ShareStore } from '../services/shareStore.ts'
import type { KeyShareStores, OpenWallet, RecoveryMethodKey } from '../wallet/enrol.ts'
import { addRecoveryMethod, rotate } from '../wallet/rotate.ts'
import type { GetMethodKey, OnUnreadable } from '../wallet/unwrapWithAny.ts'
import type { KeyHolder, RecoveryCredential } from './keyHolder.ts'
import type { Tokens } from './login/session.ts'

/** The recovery methods of the open wallet, and the keys that were used on this page. */
export type RecoveryMethods = {
  readonly actions: Pick<
    KeyHolder,
    'recoveryMethods' | 'addPassword' | 'addPasskey' | 'createPasskeyRequest' | 'provePasskey' | 'removeRecoveryMethod'
  >
  /** Finds the key of a method: the automatic one, one of the credentials, or one used earlier on this page. */
  getMethodKey(credentials: readonly RecoveryCredential[]): GetMethodKey
  /** Finds the key of a method by a credential alone, and remembers nothing. */
  getCredentialKey(credential: RecoveryCredential | undefined): GetMethodKey
  /** Remembers a stored method that does not open the wallet, for the list of methods. */
  readonly onUnreadable: OnUnreadable
  /** Wipes the remembered keys. */
  wipe(): void
}

export type RecoveryMethodsDependencies = {
  readonly account: AccountService
  readonly shares: ShareStore
  readonly stretch: StretchPassword
  /** Evaluates a blinded password at the auth service. */
  readonly evaluate: Evaluate
  /** Key share stores of the user. @throws ServiceRefusal 401 */
  stores(): Promise<KeyShareStores>
  /** Receives an opened wallet and owns its secrets. */
  opened(wallet: OpenWallet): void
  /** Proves to the share store that the wallet is open. */
  readonly sign: SignForStore
  /** Replaces the tokens of the session. */
  replaceTokens(tokens: Tokens): Promise<void>
}

const passwordId = 'password'

export function createRecoveryMethods(dependencies: RecoveryMethodsDependencies): RecoveryMethods {
  const { account, shares, stretch, stores, opened, replaceTokens, evaluate } = dependencies
  const keys = createMethodKeys(dependencies)
  const unreadable = new Set<string>()

  async function add(method: RecoveryMethodKey, credentials: readonly RecoveryCredential[]): Promise<void> {
    if (await addOrReplaceMethod(dependencies, keys, { method, credentials })) unreadable.clear()
  }

  return {
    getMethodKey: keys.get,
    getCredentialKey: keys.getByCredential,
    wipe: keys.wipe,
    onUnreadable({ id, method }) {
      // A password or passkey may have been the wrong one.
      if (method === 'auto') unreadable.add(id)
    },
    actions: {
      recoveryMethods: async () =>
        (await shares.recoveryMethods()).map(({ id, method, createdAt }) => ({
          id,
          method,
          createdAt,
          ...(unreadable.has(id) && { isUnreadable: true }),
        })),
      async addPassword(password, credentials = []) {
        const { key, facts } = await createPasswordKey({ password, evaluate, stretch })
        await add({ id: passwordId, method: 'password', key, facts }, credentials)
      },
      async createPasskeyRequest() {
        const [stored, challenge] = await Promise.all([shares.find(), account.passkeyChallenge()])
        if (stored === undefined)
          throw custodyError('custody/invalid-share', { reason: 'the share store has no wallet' })
        return { input: passkeyInput(stored.walletId), challenge }
      },
      async addPasskey({ id, output, facts, publicKey }, credentials = []) {
        const bytes = fromBase64url(id)
        const method: RecoveryMethodKey = { id, method: 'passkey', key: passkeyKey(output, bytes), facts }
        await add(method, credentials)
        // The public key spares a new device its waiting time. The passkey opens the wallet without it, too.
        if (publicKey !== undefined) await registerPasskey(dependencies, { id: bytes, publicKey })
      },
      async provePasskey({ id, ...proof }) {
        await replaceTokens(await account.provePasskey({ id: fromBase64url(id), ...proof }))
      },
      async removeRecoveryMethod(id, credentials = [], { dropsPasskeys = false } = {}) {
        const getMethodKey = keys.get(credentials)
        const lost = dropsPasskeys ? await listLostPasskeys(shares, getMethodKey) : []
        opened(await rotate(await stores(), { getMethodKey, drop: [id, ...unreadable, ...lost] }))
        unreadable.clear()
        for (const each of new Set([id, ...lost])) {
          keys.forget(each)
          if (each !== passwordId && each !== 'auto') {
            await ignoreRefusal(() => account.removePasskey(fromBase64url(each)))
          }
        }
      },
    },
  }
}

/** Returns the ids of the passkeys that the user has given no key for. */
async function listLostPasskeys(shares: ShareStore, getMethodKey: GetMethodKey): Promise<readonly string[]> {
  const lost: string[] = []
  for (const wrap of (await shares.find())?.wraps ?? []) {
    if (wrap.method !== 'passkey') continue
    const key = await getMethodKey(wrap)
    if (key === undefined) lost.push(wrap.id)
    key?.fill(0)
  }
  return lost
}

/** Keys of recovery methods that were used on this page: the user enters a password once, not for every step. */
type MethodKeys = {
  get(credentials: readonly RecoveryCredential[]): GetMethodKey
  getByCredential(credential: RecoveryCredential | undefined): GetMethodKey
  remember(id: string, key: Uint8Array): void
  forget(id: string): void
  wipe(): void
}

function createMethodKeys({ evaluate, shares, stretch }: RecoveryMethodsDependencies): MethodKeys {
  const usedKeys = new Map<string, Uint8Array>()

  async function findKey(
    { id, method, facts }: WrappedRecoveryKey,
    credentials: readonly RecoveryCredential[],
  ): Promise<Uint8Array | undefined> {
    if (method === 'auto') return shares.autoKey()
    for (const credential of credentials) {
      if (credential.method === 'password' && method === 'password') {
        return restorePasswordKey({ password: credential.password, facts, evaluate, stretch })
      }
      if (credential.method === 'passkey' && method === 'passkey' && credential.id === id) {
        return passkeyKey(credential.output, fromBase64url(id))
      }
    }
    return undefined
  }
  function remember(id: string, key: Uint8Array): void {
    usedKeys.get(id)?.fill(0)
    usedKeys.set(id, key.slice())
  }

  return {
    remember,
    get: (credentials) => async (wrapped) => {
      const key = (await findKey(wrapped, credentials)) ?? usedKeys.get(wrapped.id)?.slice()
      if (key !== undefined && wrapped.method !== 'auto') remember(wrapped.id, key)
      return key
    },
    getByCredential: (credential) => (wrapped) => findKey(wrapped, credential === undefined ? [] : [credential]),
    forget(id) {
      usedKeys.get(id)?.fill(0)
      usedKeys.delete(id)
    },
    wipe() {
      for (const key of usedKeys.values()) key.fill(0)
      usedKeys.clear()
    },
  }
}

/**
 * Adds a method. If the automatic method is the only one and damaged, the next epoch replaces it and the key that it had
 * to open. Wipes the key of the method.
 *
 * @returns true if the automatic method was replaced
 */
async function addOrReplaceMethod(
  { shares, sign, stores, opened }: RecoveryMethodsDependencies,
  keys: MethodKeys,
  { method, credentials }: { method: RecoveryMethodKey; credentials: readonly RecoveryCredential[] },
): Promise<boolean> {
  try {
    await addMethod({ shares, sign }, keys, method, credentials)
    return false
  } catch (error) {
    if (!isLatchkeyError(error, 'custody/unreadable')) throw error
    const stored = await shares.recoveryMethods()
    if (stored.some((each) => each.method !== 'auto')) throw error
    const rotation = { getMethodKey: keys.get(credentials), drop: stored.map(({ id }) => id), add: [method] }
    opened(await rotate(await stores(), rotation))
    return true
  } finally {
    method.key.fill(0)
  }
}

/** @throws LatchkeyError `custody/recovery-method-needed` if none of the existing methods could be used */
async function addMethod(
  to: { shares: ShareStore; sign: SignForStore },
  keys: MethodKeys,
  method: RecoveryMethodKey,
  credentials: readonly RecoveryCredential[],
): Promise<void> {
  const missing: WrappedRecoveryKey[] = []
  const getMethodKey: GetMethodKey = async (wrapped) => {
    const key = await keys.get(credentials)(wrapped)
    if (key === undefined) missing.push(wrapped)
    else if (wrapped.method !== 'auto') missing.length = 0
    return key
  }
  try {
    await addRecoveryMethod(to, method, getMethodKey)
    keys.remember(method.id, method.key)
  } catch (error) {
    const [needed] = missing
    // Without a missing key, the password or passkey was wrong.
    if (needed === undefined || !isLatchkeyError(error, 'custody/unreadable')) throw error
    throw custodyError('custody/recovery-method-needed', { method: needed.method })
  }
}

async function ignoreRefusal(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) throw error
  }
}

/** Each service verifies passkeys on its own. A service that refuses a passkey asks the user to wait instead. */
async function registerPasskey(
  { account, shares, sign }: Pick<RecoveryMethodsDependencies, 'account' | 'shares' | 'sign'>,
  passkey: Parameters<AccountService['addPasskey']>[0],
): Promise<void> {
  await ignoreRefusal(() => account.addPasskey(passkey))
  await ignoreRefusal(() => shares.addPasskey(passkey, sign))
}
