import { custodyError } from '../../custody/custodyError.ts'
import { isSameBytes } from '../../custody/isSameBytes.ts'
import { takeKeyShare, wipeKeyShares } from '../../custody/keyShare.ts'
import type { StretchPassword } from '../../custody/passwordKey.ts'
import { openRecoveryFile, writeRecoveryFile } from '../../custody/recoveryFile.ts'
import { exportSecrets } from '../../custody/secrets.ts'
import { signWalletProof } from '../../custody/signWalletProof.ts'
import type { AccountService, EnrolledDevice } from '../../services/accountService.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import { fromBase64url } from '../../services/toBase64url.ts'
import type { KeyShareStores, OpenWallet } from '../../wallet/enrol.ts'
import { rotate } from '../../wallet/rotate.ts'
import type { GetMethodKey } from '../../wallet/unwrapWithAny.ts'
import type { DeviceInfo, KeyHolder, RecoveryCredential } from '../keyHolder.ts'
import type { SignForStore } from '../../services/postProven.ts'
import type { ProveWallet } from '../../services/shareStore.ts'
import { withEntropy } from '../withEntropy.ts'

export type AccountActions = Pick<
  KeyHolder,
  | 'devices'
  | 'revokeDevice'
  | 'signOutOthers'
  | 'approveWaitingDevice'
  | 'stopWaitingDevice'
  | 'reveal'
  | 'recoveryFile'
  | 'requestDeletion'
  | 'cancelDeletion'
>

export type AccountActionsDependencies = {
  readonly account: AccountService
  readonly isFramed: boolean
  /** Key share stores of the user. @throws ServiceRefusal 401 */
  stores(): Promise<KeyShareStores>
  getMethodKey(entered: readonly RecoveryCredential[]): GetMethodKey
  /** Receives an opened wallet and owns its secrets. */
  opened(wallet: OpenWallet): void
  /** Proves to the share store that the wallet is open. */
  readonly sign: SignForStore
  readonly stretch: StretchPassword
  now(): number
  /** Returns a copy of the wallet's entropy that the caller has to wipe. */
  entropy(): Promise<Uint8Array>
}

/** Creates the account actions of the logged-in user. */
export function createAccountActions(dependencies: AccountActionsDependencies): AccountActions {
  const { account, stores, getMethodKey, opened, sign } = dependencies
  const prove: ProveWallet = (challenge) => withEntropy(dependencies, (entropy) => signWalletProof(entropy, challenge))
  return {
    devices: () => listDevices(dependencies),
    async revokeDevice(setId, { key, stolen, credentials = [] }) {
      const stored = await stores()
      // Revoke first: after the rotation the services could no longer tell which device is meant. If a recovery
      // method is needed, the whole action runs again, which is idempotent.
      if (setId === undefined && key !== undefined) await account.endSessions(key)
      if (setId !== undefined) {
        await stored.auth.revoke(fromBase64url(setId), prove)
      }
      if (key !== undefined) await stored.shares.removeDevice(key, sign)
      else if (setId !== undefined) await stored.shares.remove(fromBase64url(setId), sign)
      if (stolen) opened(await rotate(stored, { getMethodKey: getMethodKey(credentials) }))
    },
    signOutOthers: () => account.endOtherSessions(),
    approveWaitingDevice: async (id, match) => (await stores()).shares.approveWaitingDevice(id, match),
    stopWaitingDevice: async (id) => (await stores()).shares.stopWaitingDevice(id),
    ...createSecretActions(dependencies),
    async requestDeletion() {
      const { at } = await account.requestDeletion(prove)
      await (await stores()).shares.requestDeletion(sign)
      return { at }
    },
    async cancelDeletion() {
      await account.cancelDeletion()
      await (await stores()).shares.cancelDeletion()
    },
  }
}

/**
 * Lists the devices that either service knows. A service that hides a device can't hide it from the owner, unless both do.
 * The share store knows neither browser nor page.
 */
async function listDevices({ account, stores }: AccountActionsDependencies): Promise<readonly DeviceInfo[]> {
  const { shares } = await stores()
  const [known, admitted] = await Promise.all([
    account.devices(),
    // The list of the auth service is shown without it, too.
    shares.devices().catch(() => undefined),
  ])
  const keys = { auth: new Set(known.map(({ key }) => key)), shares: new Set(admitted?.map(({ key }) => key)) }
  return [
    ...known.map(({ origin = '', ...device }) => ({
      ...device,
      origin,
      ...markOf(device, admitted === undefined ? undefined : keys.shares.has(device.key)),
    })),
    ...(admitted ?? [])
      .filter(({ key }) => !keys.auth.has(key))
      .map(({ key, since, current }) => ({
        setId: undefined,
        key,
        browser: '',
        origin: '',
        createdAt: since,
        current,
        onlyAt: 'shares' as const,
      })),
  ]
}

/** @param isAdmitted by the share store; `undefined` if it is unknown */
function markOf(
  { setId }: Pick<EnrolledDevice, 'setId'>,
  isAdmitted: boolean | undefined,
): Pick<DeviceInfo, 'onlyAt' | 'hasOnlyLogin'> {
  if (setId === undefined) return isAdmitted === true ? { onlyAt: 'shares' } : { hasOnlyLogin: true }
  return isAdmitted === false ? { onlyAt: 'auth' } : {}
}

/** Creates the actions that take secrets out of the frame. An embedded page never needs them. */
function createSecretActions(dependencies: AccountActionsDependencies): Pick<KeyHolder, 'reveal' | 'recoveryFile'> {
  const { account, isFramed, stores } = dependencies
  const assertTopLevel = (): void => {
    if (isFramed) throw new ServiceRefusal(403, 'page', 'Secrets are shown on a top-level page only.')
  }
  return {
    async reveal() {
      assertTopLevel()
      await account.noteExport()
      return withEntropy(dependencies, exportSecrets)
    },
    async recoveryFile(password) {
      assertTopLevel()
      await account.noteExport()
      // Opening the wallet enrols this device again if another one began a new epoch.
      return withEntropy(dependencies, async (expected) =>
        createRecoveryFile(await stores(), { ...dependencies, password, expected }),
      )
    },
  }
}

/** Writes the shares of this device and the auth service to a file. A file that can't be opened is never returned. */
async function createRecoveryFile(
  { auth, device }: KeyShareStores,
  {
    password,
    expected,
    stretch,
    now,
  }: { password: string; expected: Uint8Array; stretch: StretchPassword; now(): number },
): Promise<string> {
  const [local, remote] = await Promise.all([device.read(), auth.own()])
  if (local === undefined || remote === undefined || !isSameBytes(local.setId, remote.setId)) {
    throw custodyError('custody/invalid-share', { reason: 'this device is not enrolled' })
  }
  const shares = [takeKeyShare(local.share), takeKeyShare(remote.share)] as const
  let opened: Uint8Array | undefined
  try {
    const text = await writeRecoveryFile({ shares, vault: local.vault }, { password, now: now(), stretch })
    opened = await openRecoveryFile(text, { password, stretch })
    if (opened !== undefined && isSameBytes(opened, expected)) return text
    throw custodyError('custody/mismatch', { reason: 'the recovery file opens another wallet' })
  } finally {
    opened?.fill(0)
    wipeKeyShares(...shares)
  }
}
