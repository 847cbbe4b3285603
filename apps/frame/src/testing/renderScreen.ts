import axe from 'axe-core'
import { onTestFinished } from 'vitest'
import type { Screen } from '../screens/stage/stage.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import '../screens/frame.css'

/** A screen in the page. */
export type RenderedScreen<result> = {
  readonly root: HTMLElement
  /** The choice of the user, or `undefined` while the screen is shown. */
  choice(): result | undefined
  /** Removes the screen as the stage does. */
  leave(): void
}

/** Shows a screen in the document until the test ends. */
export function renderScreen<result>(
  screen: Screen<result>,
  messages: Messages = englishMessages,
): RenderedScreen<result> {
  const { documentElement: html } = document
  html.lang = messages.locale
  html.dir = messages.direction
  const root = document.createElement('main')
  root.className = 'stage'
  document.body.append(root)
  let given: result | undefined
  const leave = screen.draw(root, (returned) => {
    given ??= returned
  })
  onTestFinished(() => {
    leave()
    root.remove()
    html.lang = 'en'
    html.dir = 'ltr'
    delete html.dataset['theme']
  })
  return { root, choice: () => given, leave }
}

/** Returns the violations that axe finds, one per line. */
export async function listAxeViolations(root: HTMLElement): Promise<readonly string[]> {
  const { violations } = await axe.run(root, { rules: { region: { enabled: false } } })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
