import {
  companion,
  connect,
  currentEntry,
  finishConnecting,
  resetView,
  type Latchkey,
  type ViewName,
} from '@latchkey/core'
import { useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../../context.ts'
import { useStore } from '../../useStore.ts'
import type { LoginConnector } from './loginConnector.ts'

/**
 * What is under way of a login. It is not kept by the view that began it: while somebody answers the wallet's own screen,
 * that view is not there.
 */
export type LoginStep =
  | { readonly status: 'idle' }
  | {
      readonly status: 'working'
      /** The view that it was begun in. */
      readonly view: ViewName
      /** What is waited for: the login, or the wallet that opens after it. */
      readonly phase: 'login' | 'wallet'
      /** Opens the window that the browser kept shut. */
      readonly open?: () => void
      /** Two digits that the window may ask for. */
      readonly match?: string
      readonly over?: true
    }
  | {
      readonly status: 'failed'
      readonly view: ViewName
      readonly phase: 'login' | 'wallet'
      readonly error: unknown
      /** Nobody looks at it any more; what is drawn stays while it moves out of sight. */
      readonly over?: true
    }

type Steps = { store: StoreApi<LoginStep>; controller: AbortController | undefined }

const stepsKey = Symbol('login steps')

function stepsOf(latchkey: Latchkey): Steps {
  return companion(latchkey, stepsKey, () => ({
    store: createStore<LoginStep>(() => ({ status: 'idle' })),
    controller: undefined,
  }))
}

/** How it stands with what a view began. */
export function useLoginStep(view: ViewName): LoginStep {
  const step = useStore(stepsOf(useLatchkey()).store)
  const [first] = useState(step)
  if (step.status === 'idle' || step.view !== view) return { status: 'idle' }
  // What was over before the view came is not its own.
  return step === first && step.over === true ? { status: 'idle' } : step
}

/** How it stands at this moment with what a view began. */
export function statusOf(latchkey: Latchkey, view: ViewName): LoginStep['status'] {
  const step = stepsOf(latchkey).store.getState()
  return step.status === 'idle' || step.over === true || step.view !== view ? 'idle' : step.status
}

type Work = (signal: AbortSignal, tell: (news: { open?: () => void; match?: string }) => void) => Promise<boolean>

/**
 * Takes a step of a login, in place of the one before. It is given up when the view is not among those that one can go
 * back to any more.
 *
 * @param work is called at once, in the very task of the visitor's press; true when he is logged in now, so that the
 *   wallet can be opened
 */
export async function takeStep(
  latchkey: Latchkey,
  connector: LoginConnector,
  view: ViewName,
  work: Work,
): Promise<void> {
  const steps = stepsOf(latchkey)
  steps.controller?.abort()
  const controller = new AbortController()
  steps.controller = controller
  const { signal } = controller
  let phase: 'login' | 'wallet' = 'login'
  const put = (step: LoginStep): void => void (signal.aborted || steps.store.setState(step, true))
  const end = (): void => {
    const step = steps.store.getState()
    if (step.status !== 'idle') put({ ...step, over: true })
    controller.abort()
  }
  put({ status: 'working', view, phase })
  const stopWatching = latchkey.modal.subscribe((modal) => {
    if (!modal.open || !modal.history.some((entry) => entry.view === view)) end()
  })
  signal.addEventListener('abort', stopWatching)
  try {
    const isLoggedIn = await work(signal, (news) => put({ status: 'working', view, phase, ...news }))
    if (signal.aborted) return
    if (!isLoggedIn) return put({ status: 'idle' })
    phase = 'wallet'
    put({ status: 'working', view, phase })
    await connect(latchkey, connector.id, { signal })
    end()
    welcome(latchkey)
  } catch (error) {
    put({ status: 'failed', view, phase, error })
  }
}

/** Opens the wallet of who is logged in already, as the last step does. */
export function openWallet(latchkey: Latchkey, connector: LoginConnector, view: ViewName): void {
  void takeStep(latchkey, connector, view, async () => true)
}

/** Forgets what failed, when the visitor begins anew. */
export function forgetFailure(latchkey: Latchkey): void {
  const { store } = stepsOf(latchkey)
  if (store.getState().status === 'failed') store.setState({ status: 'idle' }, true)
}

/** Whether a view is the one on screen. */
export function isOnShow(latchkey: Latchkey, view: ViewName): boolean {
  const modal = latchkey.modal.getState()
  return modal.open && currentEntry(modal).view === view
}

/** Goes on to the sign-in where there is one, and to the account otherwise. */
function welcome(latchkey: Latchkey): void {
  if (latchkey.settings.signIn !== undefined) return finishConnecting(latchkey)
  // Somebody whose network the app does not use is asked about that first.
  if (!isOnShow(latchkey, 'UnsupportedChain')) resetView(latchkey, { view: 'Account', params: {} })
}
