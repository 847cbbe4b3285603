import type { ActionApp } from './createActionApp.tsx'
import { modalActions } from './modalActions.ts'
import { userActions } from './userActions.ts'
import { walletActions } from './walletActions.ts'
import { worldActions } from './worldActions.ts'

const actions = { ...modalActions, ...userActions, ...walletActions, ...worldActions }

export type ActionName = keyof typeof actions

/** The wait after an action. */
export type Pause = keyof typeof pauses

/** An action, which of the possible things it is about, and the wait after it. */
export type Action = readonly [name: ActionName, choice: number | string, pause: Pause]

const pauses = {
  none: undefined,
  microtask: () => Promise.resolve(),
  task: () => sleep(0),
  frame: () => new Promise<void>((resolve) => void requestAnimationFrame(() => resolve())),
  rendering: () => sleep(40),
  transition: () => sleep(320),
} as const

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}

/**
 * Performs an action on an app.
 *
 * @returns a description of what it was about, such as the text of the button
 */
export async function performAction(app: ActionApp, [name, choice, pause]: Action): Promise<string> {
  const about = actions[name](app, choice)
  await pauses[pause]?.()
  return [name, choice, about].filter((word) => word !== undefined).join(' ')
}
