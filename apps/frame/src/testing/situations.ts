import { ServiceRefusal } from '../services/ask.ts'
import { consentScreen } from '../screens/consent.ts'
import { devicesScreen } from '../screens/devices.ts'
import type { Passkeys } from '../screens/recovery/passkeys.ts'
import { recoverScreen } from '../screens/recovery/recover.ts'
import { waysScreen } from '../screens/recovery/ways.ts'
import type { Words } from '../words/words.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import { fakeHolder } from './fakeHolder.ts'
import { shown } from './shown.ts'

/** A screen as a visitor meets it, by the buttons that lead there. */
export type Situation = { readonly name: string; show(words: Words): HTMLElement; readonly press?: readonly string[] }

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
]
