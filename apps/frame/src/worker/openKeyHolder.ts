import { isRecord } from '@latchkey/protocol'
import { signStoreProof } from '../custody/signStoreProof.ts'
import { createAccountService } from '../services/accountService.ts'
import type { SignForStore } from '../services/postProven.ts'
import { ServiceRefusal, type ServiceRequest } from '../services/serviceRequest.ts'
import { createAuthShares, createShareStore } from '../services/shareStore.ts'
import type { KeyShareStores, OpenWallet } from '../wallet/enrol.ts'
import { warmUpEnrolment } from '../wallet/warmUpEnrolment.ts'
import { loadOnce } from '../chain/loadOnce.ts'
import type { HolderUser, KeyHolder, SignRequest } from './keyHolder.ts'
import type { KeyHolderContext } from './keyHolderContext.ts'
import { createOpenKeys, type OpenKeys } from './keys/openKeys.ts'
import { enterWallet, type EnterWalletDependencies } from './login/enterWallet.ts'
import { createWaitingDevices } from './login/createWaitingDevices.ts'
import { createKnownLogins } from './login/knownLogins.ts'
import { createLogins } from './login/logins.ts'
import { createSession, type Session } from './login/session.ts'
import { createPasswordProof } from './passwordProof.ts'
import { createPermissionOrigins } from './permissionOrigins.ts'
import { createRecoveryMethods } from './recoveryMethods.ts'
import type { OpenPolicies, OpenPoliciesDependencies } from './policy/openPolicies.ts'
import { createPolicyActions } from './policy/createPolicyActions.ts'
import { createLazySettings } from './settings/lazySettings.ts'
import { openDevice } from './storage/device.ts'
import { withEntropy } from './withEntropy.ts'
import { createWalletRecords } from './storage/walletRecords.ts'

/**
 * Opens the key holder of this browser: its device key, session and key shares.
 *
 * @returns the holder that runs in the dedicated worker
 * @example serveHolder(self, openKeyHolder({ authUrl, sharesUrl, projectId, store: openHolderStore('latchkey'), … }))
 */
export async function openKeyHolder(context: KeyHolderContext): Promise<KeyHolder> {
  const { authUrl, sharesUrl, store, now } = context
  const device = await openDevice(store)
  let language = 'en'
  const session = createSession({ ...context, device, language: () => language })
  const known = createKnownLogins(device, store)
  const send = { auth: session.request(authUrl), shares: session.request(sharesUrl) }
  const account = createAccountService(send.auth)
  const shares = createShareStore(send.shares, sharesUrl)
  const storesOf = (user: string, origin?: string): KeyShareStores => ({
    auth: createAuthShares(send.auth, { origin }),
    shares,
    device: createWalletRecords(device, store, user),
  })
  const userId = async (): Promise<string> => (await getUser(session)).id
  const stores = async (): Promise<KeyShareStores> => storesOf(await userId())
  const keys = createOpenKeys({
    ...context,
    open: async () => reopenWallet({ stores: await stores(), getMethodKey: getMethodKey([]), onUnreadable, now }),
    wiped: () => methods.wipe(),
  })
  const opened = (wallet: OpenWallet): void => {
    void proof.prove(wallet)
    keys.put(wallet)
    preloadSigning()
  }
  const { replaceTokens } = session
  const proof = createPasswordProof(account)
  const sign: SignForStore = (text) => withEntropy(keys, async (entropy) => signStoreProof(entropy, text))
  const methods = createRecoveryMethods({ ...context, ...proof, account, shares, stores, opened, replaceTokens, sign })
  const { getMethodKey, onUnreadable } = methods
  const waiting = createWaitingDevices({ shares, now })
  const entering = { session, known, device, storesOf, opened, getMethodKey, onUnreadable }
  const logins = createLogins({ ...context, ...entering, prefetch: waiting.prefetch, warmUp })
  const custody = { account, stores, userId, opened, sign, entropy: keys.entropy }
  const settings = createLazySettings({ ...context, ...methods, ...custody, requests: send, session, known, proof })
  const user = () => getUser(session)
  const policies = createLazyPolicies({ ...context, send, device, user, sign, entropy: keys.entropy })

  return {
    ...logins,
    ...methods.actions,
    ...settings,
    waitingDevices: waiting.list,
    ...createPermissionOrigins({ entropy: keys.entropy }),
    restore: () => restoreUser(session, send.auth),
    async signOut() {
      logins.forget()
      policies.forget()
      keys.wipe()
      await session.end()
    },
    setLanguage: async (locale) => void (language = locale),
    async lock() {
      keys.wipe()
    },
    ...createPolicyActions(policies.load),
    sign: async (request) => signWith(keys, await policies.load(), request),
  }
}

/** Loads the signing policies with the first signature. */
function createLazyPolicies(dependencies: OpenPoliciesDependencies): {
  load(): Promise<OpenPolicies>
  /** Forgets what the user's other devices approved. */
  forget(): void
} {
  let loaded: OpenPolicies | undefined
  return {
    load: loadOnce(async () => {
      loaded = (await loadSigning()).openPolicies(dependencies)
      return loaded
    }),
    forget: () => loaded?.secondDevices.forget(),
  }
}

/** Opens the wallet again. Recovers without the user's help if another device began a new epoch. */
async function reopenWallet(dependencies: Omit<EnterWalletDependencies, 'isNew'>): Promise<OpenWallet> {
  const entry = await enterWallet({ ...dependencies, isNew: false })
  if ('wallet' in entry) return entry.wallet
  throw new ServiceRefusal(401, 'device', 'This device no longer opens the wallet. Log in again.')
}

/** @throws ServiceRefusal 401 without a login */
async function getUser(session: Session): Promise<HolderUser> {
  const user = await session.user()
  if (user === undefined) throw new ServiceRefusal(401, 'token', 'Log in first.')
  return user
}

/** Returns the user of the stored session. Without a network the user stays logged in. */
async function restoreUser(session: Session, auth: ServiceRequest): Promise<HolderUser | undefined> {
  const user = await session.user()
  if (user === undefined) return undefined
  try {
    return withDeletion(user, await auth('GET', '/auth/v1/user'))
  } catch (error) {
    return error instanceof ServiceRefusal && error.status === 401 ? undefined : user
  }
}

function withDeletion(user: HolderUser, response: unknown): HolderUser {
  const deletionAt = isRecord(response) && typeof response.deletionAt === 'number' ? response.deletionAt : undefined
  return { ...user, ...(deletionAt !== undefined && { deletionAt }) }
}

async function signWith(keys: OpenKeys, policies: OpenPolicies, request: SignRequest): Promise<Uint8Array> {
  const { signRequest } = await loadSigning()
  await policies.admit(request)
  const key = await keys.privateKey(request.kind === 'solana' ? 'solana' : 'evm')
  try {
    return signRequest(key, request)
  } finally {
    key.fill(0)
  }
}

/** Loads the chunk of signatures, and runs enrolments of no wallet, because the first runs are slow. */
function warmUp(): void {
  preloadSigning()
  warmUpEnrolment().catch(() => undefined)
}

/** Loading takes longer than signing. */
function preloadSigning(): void {
  loadSigning().catch(() => undefined)
}

/** A separate chunk, because most visits sign nothing. */
const loadSigning = (): Promise<typeof import('./policy/openPolicies.ts')> => import('./policy/openPolicies.ts')
