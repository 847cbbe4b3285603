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
import { englishWords, type Words } from '../messages/loadWords.ts'
import { rehearsalScreen } from '../screens/recovery/rehearsalScreen.ts'
import { custodyError } from '../custody/custodyError.ts'
import type { KeyHolder, RecoveryMethodInfo } from '../worker/keyHolder.ts'
import { fakeHolder } from './fakeHolder.ts'
import { shown } from './shown.ts'

/** A screen, and the buttons that lead to it. */
export type Situation = {
  readonly name: string
  show(words: Words): HTMLElement
  readonly press?: readonly string[]
  /** True if the screen keeps moving. */
  readonly moves?: boolean
}

const bytes = new Uint8Array(32)
const time = 1_780_000_000_000

const passkeys: Passkeys = {
  create: async () => ({ kind: 'unable' }),
  use: async () => ({ kind: 'cancelled' }),
}

const holder = (verbs: Partial<KeyHolder> = {}): KeyHolder =>
  fakeHolder({
    createPasskeyRequest: async () => ({ input: bytes, challenge: bytes }),
    recoveryMethods: async () => [
      { id: 'a', method: 'auto', createdAt: time },
      { id: 'p', method: 'password', createdAt: time },
      { id: 'k', method: 'passkey' },
    ],
    devices: async () => [
      { setId: 'a', browser: 'Chromium on Linux', origin: 'https://app.example.org', createdAt: time, current: true },
      {
        setId: 'b',
        browser: 'Safari on iPhone',
        origin: 'https://a-shop-with-a-long-name.example.com',
        createdAt: time,
        current: false,
      },
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

const methods = (verbs?: Partial<KeyHolder>) => (words: Words) =>
  shown(
    recoveryMethodsScreen({ words, holder: holder(verbs), passkeys, userName: 'ann@example.org', split: false }),
    words,
  ).root

const rehearsal = (method: RecoveryMethodInfo, problem?: string) => (words: Words) =>
  shown(
    rehearsalScreen({ words, holder: holder(), passkeys, method, ...(problem !== undefined && { problem }) }),
    words,
  ).root

const onlyAuto: Partial<KeyHolder> = { recoveryMethods: async () => [{ id: 'a', method: 'auto', createdAt: time }] }

const recovery =
  (...methods: readonly ('password' | 'passkey')[]) =>
  (words: Words) =>
    shown(
      recoverScreen({ words, holder: holder(), passkeys, methods: methods.map((method) => ({ id: 'cGs', method })) }),
      words,
    ).root

/** All screens for visual checks. `press` lists the selectors of the buttons to click. */
export const situations: readonly Situation[] = [
  {
    name: 'consent',
    show: (words) =>
      shown(consentScreen(words, { origin: 'https://app.example.org', account: 'ann@example.org' }), words).root,
  },
  {
    name: 'change of address',
    show: (words) =>
      shown(
        emailChangeScreen(words, {
          origin: 'https://app.example.org',
          email: 'ann@example.org',
          newEmail: 'a-long-name-of-ann@a-long-domain.example.net',
        }),
        words,
      ).root,
  },
  { name: 'recover', show: recovery('password', 'passkey') },
  { name: 'recover by passkey', show: recovery('passkey'), press: ['.actions .button'] },
  { name: 'recover nowhere', show: recovery() },
  { name: 'ways', show: methods() },
  { name: 'one way', show: methods(onlyAuto) },
  { name: 'add a password', show: methods(onlyAuto), press: ['.group .button', '.actions .button'] },
  { name: 'add a passkey', show: methods(onlyAuto), press: ['.group .button + .button'] },
  { name: 'no PRF', show: methods(onlyAuto), press: ['.group .button + .button', '.actions .button'] },
  { name: 'remove a way', show: methods(), press: ['.chip + .chip'] },
  {
    name: 'a damaged way',
    show: methods({
      recoveryMethods: async () => [{ id: 'a', method: 'auto', createdAt: time, isUnreadable: true }],
      recoveryStatus: async () => ({ isDeviceEnrolled: true, otherDevices: 0, isRecoverable: true, testedAt: {} }),
    }),
  },
  { name: 'test the password', show: rehearsal({ id: 'p', method: 'password' }) },
  { name: 'test the automatic way', show: rehearsal({ id: 'a', method: 'auto' }) },
  { name: 'a failed test', show: rehearsal({ id: 'p', method: 'password' }, englishWords.recover.wrong) },
  {
    name: 'ways out of reach',
    show: methods({
      recoveryMethods: () => Promise.reject(new ServiceRefusal(503, 'service', 'The share store rests.')),
    }),
  },
  { name: 'devices', show: (words) => shown(devicesScreen({ words, passkeys, holder: holder() }), words).root },
  {
    name: 'remove a device',
    show: (words) => shown(devicesScreen({ words, passkeys, holder: holder() }), words).root,
    press: ['.chip'],
  },
  ...pageSituations(),
]

/** The screens of the top-level pages. */
function pageSituations(): readonly Situation[] {
  const user = {
    id: 'user',
    email: 'ann@example.org',
    accounts: [
      { namespace: 'one', address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' },
      { namespace: 'two', address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' },
    ],
  }
  const nativeCurrency = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const networks = [
    { chainId: 'one:1', name: 'First Network', nativeCurrency },
    { chainId: 'two:1', name: 'Second Network', nativeCurrency },
  ]
  const secrets = { phrase: `${'abandon '.repeat(11)}about`, evm: `0x${'ab'.repeat(32)}`, solana: '5'.repeat(88) }
  const clipboard = { copy: async () => true, clear: async () => undefined }
  const login = (action: 'VERIFY_DEVICE' | 'VERIFY_OTP') => (words: Words) => {
    const verbs: Partial<KeyHolder> = {
      sendCode: async () => ({ action, match: '42' }),
      awaitDevice: () => new Promise(() => undefined),
    }
    const props = { words, passkeys, origin: 'https://wallet.example', openWindow: () => true }
    const { root } = shown(loginScreen({ ...props, holder: holder(verbs), social: 'github' }), words)
    const field = root.querySelector('input')
    if (field !== null) field.value = 'ann@example.org'
    return root
  }
  return [
    { name: 'log in', show: login('VERIFY_OTP') },
    { name: 'enter the code', show: login('VERIFY_OTP'), press: ['.actions .button'] },
    { name: 'approve this browser', show: login('VERIFY_DEVICE'), press: ['.actions .button'], moves: true },
    { name: 'account', show: (words) => shown(homeScreen({ words, user, networks }), words).root },
    {
      name: 'account on its way out',
      show: (words) => shown(homeScreen({ words, user: { ...user, deletionAt: time }, networks }), words).root,
    },
    { name: 'delete', show: (words) => shown(deletionScreen(words), words).root },
    { name: 'password of a recovery file', show: (words) => shown(filePasswordScreen(words), words).root },
    { name: 'recovery file', show: (words) => shown(fileScreen(words, '{}'), words).root },
    {
      name: 'offline page',
      show: (words) => shown(recoverFileScreen({ words, stretch: async () => bytes }), words).root,
    },
    { name: 'offline addresses', show: (words) => shown(addressesScreen(words, user.accounts), words).root },
    { name: 'export', show: (words) => shown(exportIntroScreen(words), words).root },
    {
      name: 'secrets',
      show: (words) =>
        shown(
          secretsScreen({ words, secrets, notice: words.exporting.notice, clipboard, later: () => () => undefined }),
          words,
        ).root,
    },
  ]
}
