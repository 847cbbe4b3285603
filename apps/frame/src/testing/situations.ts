import { ServiceRefusal } from '../services/serviceRequest.ts'
import { consentScreen } from '../screens/consentScreen.ts'
import { emailChangeScreen } from '../screens/emailChangeScreen.ts'
import { devicesScreen } from '../screens/devicesScreen.ts'
import type { Passkeys } from '../screens/recovery/passkeys.ts'
import { recoverScreen } from '../screens/recovery/recoverScreen.ts'
import { recoveryMethodsScreen } from '../screens/recovery/recoveryMethodsScreen.ts'
import { filePasswordScreen } from '../export/filePasswordScreen.ts'
import { fileScreen } from '../export/fileScreen.ts'
import { addressesScreen } from '../offline/addressesScreen.ts'
import { recoverFileScreen } from '../offline/recoverFileScreen.ts'
import { exportIntroScreen, secretsScreen } from '../export/secretsScreen.ts'
import { deletionScreen, homeScreen } from '../account/homeScreen.ts'
import { loginScreen } from '../account/loginScreen.ts'
import { permissionsScreen } from '../account/permissionsScreen.ts'
import { englishMessages, type Messages } from '../messages/loadFrameMessages.ts'
import { rehearsalScreen } from '../screens/recovery/rehearsalScreen.ts'
import { custodyError } from '../custody/custodyError.ts'
import type { OwnPermission } from '../smart/permissions/listOwnPermissions.ts'
import { limitScreen } from '../screens/policy/limitScreen.ts'
import { policyScreen } from '../screens/policy/policyScreen.ts'
import { requestsScreen } from '../screens/policy/requestsScreen.ts'
import type { KeyHolder, RecoveryMethodInfo, SecondDeviceRequest } from '../worker/keyHolder.ts'
import { fakeHolder } from './fakeHolder.ts'
import { renderScreen } from './renderScreen.ts'

/** A screen, and the buttons that lead to it. */
export type ScreenCase = {
  readonly name: string
  show(messages: Messages): HTMLElement
  readonly press?: readonly string[]
  /** True if the screen keeps moving. */
  readonly moves?: boolean
}

const bytes = new Uint8Array(32)
const network: OwnPermission['network'] = {
  chainId: 'eip155:1',
  name: 'A network with a long name',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
}
const permission: OwnPermission = {
  origin: 'https://a-shop-with-a-long-name.example.com',
  network,
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  delegate: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  context: '0x01',
  expiry: 1_780_000_000,
}
const renderPermissions = (list: readonly OwnPermission[]) => (messages: Messages) =>
  renderScreen(permissionsScreen({ messages, list: async () => list }), messages).root
const time = 1_780_000_000_000
const user = {
  id: 'user',
  email: 'ann@example.org',
  accounts: [
    { namespace: 'one', address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' },
    { namespace: 'two', address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' },
  ],
}

const passkeys: Passkeys = {
  create: async () => ({ kind: 'unable' }),
  use: async () => ({ kind: 'cancelled' }),
}

const createHolder = (verbs: Partial<KeyHolder> = {}): KeyHolder =>
  fakeHolder({
    createPasskeyRequest: async () => ({ input: bytes, challenge: bytes }),
    recoveryMethods: async () => [
      { id: 'a', method: 'auto', createdAt: time },
      { id: 'p', method: 'password', createdAt: time },
      { id: 'k', method: 'passkey' },
    ],
    devices: async () => [
      {
        setId: 'a',
        key: 'ka',
        browser: 'Chromium on Linux',
        origin: 'https://app.example.org',
        createdAt: time,
        current: true,
      },
      {
        setId: 'b',
        key: 'kb',
        browser: 'Safari on iPhone',
        origin: 'https://a-shop-with-a-long-name.example.com',
        createdAt: time,
        current: false,
      },
      { setId: undefined, key: 'kc', browser: '', origin: '', createdAt: time, current: false, onlyAt: 'shares' },
    ],
    recoveryStatus: async () => ({
      isDeviceEnrolled: true,
      otherDevices: 1,
      isRecoverable: true,
      testedAt: { p: time },
    }),
    rehearseRecovery: () => Promise.reject(custodyError('custody/unreadable', { what: 'The recovery key' })),
    recoverWith: () => new Promise(() => undefined),
    ...verbs,
  })

const renderRecoveryMethods = (verbs?: Partial<KeyHolder>) => (messages: Messages) =>
  renderScreen(
    recoveryMethodsScreen({
      messages,
      holder: createHolder(verbs),
      passkeys,
      userName: 'ann@example.org',
      split: false,
    }),
    messages,
  ).root

const renderRehearsal = (method: RecoveryMethodInfo, problem?: string) => (messages: Messages) =>
  renderScreen(
    rehearsalScreen({ messages, holder: createHolder(), passkeys, method, ...(problem !== undefined && { problem }) }),
    messages,
  ).root

const onlyAuto: Partial<KeyHolder> = { recoveryMethods: async () => [{ id: 'a', method: 'auto', createdAt: time }] }

const renderRecovery =
  (...methods: readonly ('password' | 'passkey')[]) =>
  (messages: Messages) =>
    renderScreen(
      recoverScreen({
        messages,
        holder: createHolder(),
        passkeys,
        methods: methods.map((method) => ({ id: 'cGs', method })),
      }),
      messages,
    ).root

/** All screens for visual checks. `press` lists the selectors of the buttons to click. */
export const situations: readonly ScreenCase[] = [
  {
    name: 'consent',
    show: (messages) =>
      renderScreen(consentScreen(messages, { origin: 'https://app.example.org', account: 'ann@example.org' }), messages)
        .root,
  },
  {
    name: 'change of address',
    show: (messages) =>
      renderScreen(
        emailChangeScreen(messages, {
          origin: 'https://app.example.org',
          email: 'ann@example.org',
          newEmail: 'a-long-name-of-ann@a-long-domain.example.net',
        }),
        messages,
      ).root,
  },
  { name: 'recover', show: renderRecovery('password', 'passkey') },
  { name: 'recover by passkey', show: renderRecovery('passkey'), press: ['.actions .button'] },
  { name: 'recover nowhere', show: renderRecovery() },
  { name: 'recovery methods', show: renderRecoveryMethods() },
  { name: 'one recovery method', show: renderRecoveryMethods(onlyAuto) },
  { name: 'add a password', show: renderRecoveryMethods(onlyAuto), press: ['.group .button', '.actions .button'] },
  { name: 'add a passkey', show: renderRecoveryMethods(onlyAuto), press: ['.group .button + .button'] },
  { name: 'no PRF', show: renderRecoveryMethods(onlyAuto), press: ['.group .button + .button', '.actions .button'] },
  { name: 'remove a recovery method', show: renderRecoveryMethods(), press: ['.chip + .chip'] },
  {
    name: 'a damaged recovery method',
    show: renderRecoveryMethods({
      recoveryMethods: async () => [{ id: 'a', method: 'auto', createdAt: time, isUnreadable: true }],
      recoveryStatus: async () => ({ isDeviceEnrolled: true, otherDevices: 0, isRecoverable: true, testedAt: {} }),
    }),
  },
  { name: 'test the password', show: renderRehearsal({ id: 'p', method: 'password' }) },
  { name: 'test the automatic method', show: renderRehearsal({ id: 'a', method: 'auto' }) },
  { name: 'a failed test', show: renderRehearsal({ id: 'p', method: 'password' }, englishMessages.recover.wrong) },
  {
    name: 'recovery methods of an unreachable service',
    show: renderRecoveryMethods({
      recoveryMethods: () => Promise.reject(new ServiceRefusal(503, 'service', 'The share store rests.')),
    }),
  },
  {
    name: 'devices',
    show: (messages) => renderScreen(devicesScreen({ messages, passkeys, holder: createHolder() }), messages).root,
  },
  {
    name: 'remove a device',
    show: (messages) => renderScreen(devicesScreen({ messages, passkeys, holder: createHolder() }), messages).root,
    press: ['.chip'],
  },
  { name: 'permissions', show: renderPermissions([permission, { ...permission, context: '0x02' }]) },
  { name: 'no permissions', show: renderPermissions([]) },
  ...listPolicySituations(),
  ...listLoginSituations(),
  ...listAccountSituations(),
  ...listFileSituations(),
  ...listExportSituations(),
]

/** The screens of the signing policy. */
function listPolicySituations(): readonly ScreenCase[] {
  const address = `0x${'ab'.repeat(20)}`
  const amounts = [
    { asset: 'eip155:1', units: 5n * 10n ** 17n },
    { asset: `eip155:1/${address}`, units: 7n },
  ]
  const policy = { dailyLimit: amounts, onlyKnownReceivers: [`eip155:1:${address}`] }
  const requested: SecondDeviceRequest = {
    id: 'one',
    origin: 'https://app.example.org',
    rule: 'daily',
    match: '47',
    spending: { amounts, receivers: policy.onlyKnownReceivers, isUnknown: true },
    expiresAt: time,
  }
  const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const networks = [
    { chainId: 'eip155:1', name: 'Ethereum', nativeCurrency: ether },
    { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', name: 'Solana', nativeCurrency: { ...ether, symbol: 'SOL' } },
  ]
  const verbs: Partial<KeyHolder> = {
    policy: async () => ({
      policy,
      counter: 1,
      copies: { auth: 'behind', shares: 'current' },
      pending: { policy: {}, at: time },
    }),
    secondDeviceRequests: async () => [requested],
    requestSecondDevice: async () => requested,
    checkSecondDevice: async () => 'waiting',
  }
  const rules = (messages: Messages) =>
    renderScreen(policyScreen({ messages, networks, passkeys, holder: createHolder(verbs) }), messages).root
  const requests = (messages: Messages) =>
    renderScreen(requestsScreen({ messages, networks, holder: createHolder(verbs) }), messages).root
  const limit = (messages: Messages) => {
    const request = { kind: 'evm-message', message: bytes } as const
    const { origin, rule } = requested
    const props = { messages, networks, request, origin, rule, later: () => () => undefined }
    return renderScreen(limitScreen({ ...props, holder: createHolder(verbs) }), messages).root
  }
  return [
    { name: 'signing rules', show: rules },
    { name: 'form of the signing rules', show: rules, press: ['.actions .button'] },
    { name: 'requests of other devices', show: requests },
    { name: 'request of another device', show: requests, press: ['.chip'] },
    { name: 'rule that applies', show: limit },
    { name: 'digits of a request', show: limit, press: ['.actions .button'] },
  ]
}

/** The screens of the page that logs in. */
function listLoginSituations(): readonly ScreenCase[] {
  const login = (action: 'VERIFY_DEVICE' | 'VERIFY_OTP') => (messages: Messages) => {
    const verbs: Partial<KeyHolder> = {
      sendCode: async () => ({ action, match: '42' }),
      awaitDevice: () => new Promise(() => undefined),
    }
    const props = { messages, passkeys, origin: 'https://wallet.example', openWindow: () => true }
    const { root } = renderScreen(loginScreen({ ...props, holder: createHolder(verbs), social: 'github' }), messages)
    const field = root.querySelector('input')
    if (field !== null) field.value = 'ann@example.org'
    return root
  }
  return [
    { name: 'log in', show: login('VERIFY_OTP') },
    { name: 'enter the code', show: login('VERIFY_OTP'), press: ['.actions .button'] },
    { name: 'approve this browser', show: login('VERIFY_DEVICE'), press: ['.actions .button'], moves: true },
  ]
}

/** The screens of the page of the account. */
function listAccountSituations(): readonly ScreenCase[] {
  const nativeCurrency = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const networks = [
    { chainId: 'one:1', name: 'First Network', nativeCurrency },
    { chainId: 'two:1', name: 'Second Network', nativeCurrency },
  ]
  return [
    { name: 'account', show: (messages) => renderScreen(homeScreen({ messages, user, networks }), messages).root },
    {
      name: 'account on its way out',
      show: (messages) =>
        renderScreen(homeScreen({ messages, user: { ...user, deletionAt: time }, networks }), messages).root,
    },
    { name: 'delete', show: (messages) => renderScreen(deletionScreen(messages), messages).root },
  ]
}

/** The screens of recovery files and of the page that opens them. */
function listFileSituations(): readonly ScreenCase[] {
  return [
    {
      name: 'password of a recovery file',
      show: (messages) => renderScreen(filePasswordScreen(messages), messages).root,
    },
    { name: 'recovery file', show: (messages) => renderScreen(fileScreen(messages, '{}'), messages).root },
    {
      name: 'offline page',
      show: (messages) => renderScreen(recoverFileScreen({ messages, stretch: async () => bytes }), messages).root,
    },
    {
      name: 'offline addresses',
      show: (messages) => renderScreen(addressesScreen(messages, user.accounts), messages).root,
    },
  ]
}

/** The screens of the page that exports the keys. */
function listExportSituations(): readonly ScreenCase[] {
  const secrets = { phrase: `${'abandon '.repeat(11)}about`, evm: `0x${'ab'.repeat(32)}`, solana: '5'.repeat(88) }
  const clipboard = { copy: async () => true, clear: async () => undefined }
  return [
    { name: 'export', show: (messages) => renderScreen(exportIntroScreen(messages), messages).root },
    {
      name: 'secrets',
      show: (messages) =>
        renderScreen(
          secretsScreen({
            messages,
            secrets,
            notice: messages.exporting.notice,
            clipboard,
            later: () => () => undefined,
          }),
          messages,
        ).root,
    },
  ]
}
