import fc from 'fast-check'
import { looks } from './worldActions.ts'
import type { Action, ActionName, Pause } from './performAction.ts'
import { amounts } from './userActions.ts'
import { viewEntries } from './viewEntries.ts'
import type { Situation } from './createActionApp.tsx'

const delays = [150, 300, 500, 1_000, 4_000, 8_000, 30_000, 60_000]
const walletIds = ['granting', 'solana', 'silent', 'deaf', 'rejecting', 'walletConnect']

type Step = readonly [name: ActionName, choice: number | string]

/** One of the actions, all equally likely. */
const anyOf = (...names: readonly ActionName[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...names).map((name): Step => [name, 0])
/** An action with one of the choices. */
const withAny = (name: ActionName, choices: readonly (number | string)[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...choices).map((choice): Step => [name, choice])
/** An action with a number below a limit. */
const upTo = (name: ActionName, limit: number): fc.Arbitrary<Step> =>
  fc.nat(limit).map((choice): Step => [name, choice])

const lastView = viewEntries.length - 1

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: anyOf('open') },
  { weight: 5, arbitrary: upTo('openEntry', lastView) },
  { weight: 6, arbitrary: upTo('push', lastView) },
  { weight: 2, arbitrary: upTo('replace', lastView) },
  { weight: 1, arbitrary: upTo('reset', lastView) },
  { weight: 2, arbitrary: anyOf('back', 'close', 'dismiss', 'pressEscape', 'cancelDialog', 'clickBackdrop') },
  { weight: 14, arbitrary: upTo('click', 1_000) },
  { weight: 5, arbitrary: anyOf('clickPrimary') },
  { weight: 2, arbitrary: upTo('clickPageButton', 1) },
  { weight: 4, arbitrary: upTo('type', amounts.length * 5) },
  { weight: 4, arbitrary: anyOf('openSend', 'fillSwap', 'fillSend', 'reviewSwap', 'reviewSend') },
  { weight: 2, arbitrary: withAny('connect', walletIds) },
  { weight: 1, arbitrary: anyOf('disconnect', 'leave', 'leaveSolana', 'lock') },
  { weight: 2, arbitrary: upTo('changeAccount', 2) },
  { weight: 2, arbitrary: withAny('changeNetwork', ['eip155:1', 'eip155:2', 'eip155:99']) },
  { weight: 2, arbitrary: anyOf('approve', 'reject', 'renewLink', 'failRequests', 'repairRequests') },
  { weight: 2, arbitrary: anyOf('holdRequests', 'releaseRequests') },
  { weight: 1, arbitrary: withAny('activate', ['solana', 'eip155']) },
  { weight: 1, arbitrary: anyOf('approveDevice', 'completeLogin', 'closeLogin', 'showScreen', 'hideScreen', 'mine') },
  { weight: 4, arbitrary: withAny('advance', delays) },
  { weight: 2, arbitrary: upTo('changeLook', looks.length - 1) },
  { weight: 1, arbitrary: anyOf('openOther', 'closeOther', 'stopServer', 'startServer', 'stopChain', 'startChain') },
  { weight: 1, arbitrary: anyOf('showToast', 'showAlert') },
)

const pause: fc.Arbitrary<Pause> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Pause>('none') },
  { weight: 1, arbitrary: fc.constantFrom<Pause>('microtask', 'task', 'frame') },
  { weight: 4, arbitrary: fc.constant<Pause>('rendering') },
  { weight: 1, arbitrary: fc.constant<Pause>('transition') },
)

/** Sequences of random actions. */
export const actionLists: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.tuple(step, pause).map(([[name, choice], wait]): Action => [name, choice, wait]),
  { minLength: 1, maxLength: 16 },
)

/** Random options of an app. Simple ones are more likely. */
export const situations: fc.Arbitrary<Situation> = fc.record({
  connected: fc.boolean(),
  signIn: fc.constantFrom('none', 'none', 'none', 'required', 'optional'),
  unsupportedNetworks: fc.constantFrom('require', 'require', 'inform', 'ignore'),
  multiWallet: fc.boolean(),
  connectAllNamespaces: fc.boolean(),
  embedded: fc.constantFrom(false, false, false, true),
})
