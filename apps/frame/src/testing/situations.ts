import { ServiceRefusal } from '../services/ask.ts'
import { consentScreen } from '../screens/consent.ts'
import { devicesScreen } from '../screens/devices.ts'
import type { Passkeys } from '../screens/recovery/passkeys.ts'
import { recoverScreen } from '../screens/recovery/recover.ts'
import { waysScreen } from '../screens/recovery/ways.ts'
import { exportIntroScreen, secretsScreen } from '../account/exportScreens.ts'
import { deletionScreen, homeScreen } from '../account/homeScreen.ts'
import { loginScreen } from '../account/loginScreen.ts'
import type { Words } from '../words/words.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import { fakeHolder } from './fakeHolder.ts'
import { shown } from './shown.ts'

/** A screen as a visitor meets it, by the buttons that lead there. */
export type Situation = {
  readonly name: string
  show(words: Words): HTMLElement
  readonly press?: readonly string[]
  /** Whether it waits for something that does not come here. */
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
    passkeyAsk: async () => ({ input: bytes, challenge: bytes }),
    ways: async () => [
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
    recoverBy: () => new Promise(() => undefined),
    ...verbs,
  })

const ways = (verbs?: Partial<KeyHolder>) => (words: Words) =>
  shown(waysScreen({ words, holder: holder(verbs), passkeys, userName: 'ann@example.org', split: false }), words).root

const onlyAuto: Partial<KeyHolder> = { ways: async () => [{ id: 'a', method: 'auto', createdAt: time }] }

const recovery =
  (...methods: readonly ('password' | 'passkey')[]) =>
  (words: Words) =>
    shown(
      recoverScreen({ words, holder: holder(), passkeys, ways: methods.map((method) => ({ id: 'cGs', method })) }),
      words,
    ).root

/** Every screen of this folder, for looking at. What is pressed is told by its place among the buttons. */
export const situations: readonly Situation[] = [
  {
    name: 'consent',
    show: (words) =>
      shown(consentScreen(words, { origin: 'https://app.example.org', account: 'ann@example.org' }), words).root,
  },
  { name: 'recover', show: recovery('password', 'passkey') },
  { name: 'recover by passkey', show: recovery('passkey'), press: ['.actions .button'] },
  { name: 'recover nowhere', show: recovery() },
  { name: 'ways', show: ways() },
  { name: 'one way', show: ways(onlyAuto) },
  { name: 'add a password', show: ways(onlyAuto), press: ['.group .button', '.actions .button'] },
  { name: 'add a passkey', show: ways(onlyAuto), press: ['.group .button + .button'] },
  { name: 'no PRF', show: ways(onlyAuto), press: ['.group .button + .button', '.actions .button'] },
  { name: 'remove a way', show: ways(), press: ['.chip'] },
  {
    name: 'ways out of reach',
    show: ways({ ways: () => Promise.reject(new ServiceRefusal(503, 'service', 'The share store rests.')) }),
  },
  { name: 'devices', show: (words) => shown(devicesScreen({ words, passkeys, holder: holder() }), words).root },
  {
    name: 'remove a device',
    show: (words) => shown(devicesScreen({ words, passkeys, holder: holder() }), words).root,
    press: ['.chip'],
  },
  ...pageSituations(),
]

/** The screens of the pages of this site's own. */
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
    const parts = { words, passkeys, origin: 'https://wallet.example', openWindow: () => true }
    const { root } = shown(loginScreen({ ...parts, holder: holder(verbs), social: 'github' }), words)
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
    { name: 'export', show: (words) => shown(exportIntroScreen(words), words).root },
    {
      name: 'secrets',
      show: (words) => shown(secretsScreen({ words, secrets, clipboard, later: () => () => undefined }), words).root,
    },
  ]
}
