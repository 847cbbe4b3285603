import { connect, type Latchkey } from '@latchkey/core'
import { defineFeature, getFeature, internalsOf } from '@latchkey/core/internal'
import { currentEntry, finishConnecting, modalOf, resetView, type ViewName } from '@latchkey/modal'
import { useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../../context.ts'
import { useStore } from '../../useStore.ts'
import type { LoginConnector } from './loginConnector.ts'

/**
 * The current step of a login. The view that started it does not hold it: while the wallet shows its own screen, that view
 * is unmounted.
 */
export type LoginStep =
  | { readonly status: 'idle' }
  | {
      readonly status: 'working'
      /** The view that started the step. */
      readonly view: ViewName
      /** The pending operation: the login, or the wallet that opens after it. */
      readonly phase: 'login' | 'wallet'
      /** Opens the window that the browser blocked. */
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
      /** True once the view is left. The view keeps its content while it slides out. */
      readonly over?: true
    }

type Steps = { store: StoreApi<LoginStep>; controller: AbortController | undefined }

const loginSteps = defineFeature((): Steps => ({
  store: createStore<LoginStep>(() => ({ status: 'idle' })),
  controller: undefined,
}))

function stepsOf(latchkey: Latchkey): Steps {
  return getFeature(latchkey, loginSteps)
}

/** Returns the step that a view started, and updates the component when it changes. */
export function useLoginStep(view: ViewName): LoginStep {
  const step = useStore(stepsOf(useLatchkey()).store)
  const [first] = useState(step)
  if (step.status === 'idle' || step.view !== view) return { status: 'idle' }
  // A step that ended before the view was shown belongs to an earlier visit.
  return step === first && step.over === true ? { status: 'idle' } : step
}

/** Returns the status of the step that a view started. */
export function statusOf(latchkey: Latchkey, view: ViewName): LoginStep['status'] {
  const step = stepsOf(latchkey).store.getState()
  return step.status === 'idle' || step.over === true || step.view !== view ? 'idle' : step.status
}

type Work = (signal: AbortSignal, onProgress: (news: { open?: () => void; match?: string }) => void) => Promise<boolean>

/**
 * Starts a step of a login, and replaces the previous one. The step is aborted when its view leaves the history.
 *
 * @param work called synchronously, within the user's click. Resolves with true if the user is logged in, so that the
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
  const stopWatching = modalOf(latchkey).state.subscribe((modal) => {
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
    finishLogin(latchkey)
  } catch (error) {
    put({ status: 'failed', view, phase, error })
  }
}

/** Opens the wallet of a user who is already logged in, like the last step. */
export function openWallet(latchkey: Latchkey, connector: LoginConnector, view: ViewName): void {
  void takeStep(latchkey, connector, view, async () => true)
}

/** Clears a failed step, when the user starts again. */
export function forgetFailure(latchkey: Latchkey): void {
  const { store } = stepsOf(latchkey)
  if (store.getState().status === 'failed') store.setState({ status: 'idle' }, true)
}

/** True if a view is on screen. */
export function isOnShow(latchkey: Latchkey, view: ViewName): boolean {
  const modal = modalOf(latchkey).state.getState()
  return modal.open && currentEntry(modal).view === view
}

/** Shows the sign-in if the app has one, otherwise the account. */
function finishLogin(latchkey: Latchkey): void {
  if (internalsOf(latchkey).settings.signIn !== undefined) return finishConnecting(latchkey)
  // A wallet on an unsupported network comes first.
  if (!isOnShow(latchkey, 'UnsupportedChain')) resetView(latchkey, { view: 'Account', params: {} })
}
