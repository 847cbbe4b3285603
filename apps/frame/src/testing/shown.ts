import axe from 'axe-core'
import { onTestFinished } from 'vitest'
import type { Screen } from '../screens/stage/stage.ts'
import type { Words } from '../messages/loadWords.ts'
import { englishWords } from '../messages/loadWords.ts'
import '../screens/frame.css'

/** A screen in the page. */
export type Shown<answer> = {
  readonly root: HTMLElement
  /** The answer, or `undefined` before there is one. */
  answer(): answer | undefined
  /** Removes the screen as the stage does. */
  leave(): void
}

/** Shows a screen in the document until the test ends. */
export function shown<answer>(screen: Screen<answer>, words: Words = englishWords): Shown<answer> {
  const { documentElement: html } = document
  html.lang = words.locale
  html.dir = words.direction
  const root = document.createElement('main')
  root.className = 'stage'
  document.body.append(root)
  let given: answer | undefined
  const leave = screen.draw(root, (answer) => {
    given ??= answer
  })
  onTestFinished(() => {
    leave()
    root.remove()
    html.lang = 'en'
    html.dir = 'ltr'
    delete html.dataset['theme']
  })
  return { root, answer: () => given, leave }
}

/** Returns the violations that axe finds, one per line. */
export async function wrongsOf(root: HTMLElement): Promise<readonly string[]> {
  const { violations } = await axe.run(root, { rules: { region: { enabled: false } } })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
