import type { Latchkey, LatchkeyEvent } from '@latchkey/core'
import { modalOf } from './modal.ts'

/**
 * Lets the modal follow an instance: its events open and close views and show notices. Call it before `start`. Repeated
 * calls share one subscription.
 *
 * @returns a function that ends it
 * @example const detach = attachModal(latchkey)
 */
export function attachModal(latchkey: Latchkey): () => void {
  const { tasks } = modalOf(latchkey)
  tasks.attachments += 1
  if (tasks.attachments === 1) {
    const stop = latchkey.events.subscribe((event) => followEvent(latchkey, event))
    tasks.detach = () => {
      stop()
      tasks.stopFollowingLogins()
    }
  }
  let isEnded = false
  return () => {
    if (isEnded) return
    isEnded = true
    tasks.attachments -= 1
    if (tasks.attachments === 0) tasks.detach()
  }
}

function followEvent(latchkey: Latchkey, event: LatchkeyEvent): void {
  switch (event.type) {
    case 'disconnect':
      if (event.reason === 'locked' || modalOf(latchkey).state.getState().open) handleLater(latchkey, event)
      return
    case 'connect':
    case 'namespace-change':
    case 'wallet-left':
      // These change only what an open modal shows.
      if (modalOf(latchkey).state.getState().open) handleLater(latchkey, event)
      return
    case 'login-not-allowed':
    case 'login-screen':
    case 'network-supported':
    case 'network-unsupported':
    case 'problem':
    case 'sign-in':
    case 'sign-in-error':
    case 'sign-in-required':
      return handleLater(latchkey, event)
    default:
  }
}

/**
 * Handles an event with code that is loaded for the first one, so that the connect button stays small. Events are handled in
 * their order: the end of a wallet's screen must not overtake its start.
 */
function handleLater(latchkey: Latchkey, event: LatchkeyEvent): void {
  const { tasks } = modalOf(latchkey)
  if (tasks.handleEvent !== undefined) return tasks.handleEvent(latchkey, event)
  const isLoading = tasks.waitingEvents.push(event) > 1
  if (isLoading) return
  void import('./flows/handleEvent.ts').then(
    ({ handleEvent }) => {
      try {
        // An event that one of them emits is added at the end.
        for (const each of tasks.waitingEvents) handleEvent(latchkey, each)
      } finally {
        tasks.waitingEvents = []
        tasks.handleEvent = handleEvent
      }
    },
    // Without the chunk the user sees no view or notice. The connection is not affected.
    () => {
      tasks.waitingEvents = []
    },
  )
}
