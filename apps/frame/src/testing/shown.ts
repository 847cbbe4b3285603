import axe from 'axe-core'
import { onTestFinished } from 'vitest'
import type { Screen } from '../screens/stage.ts'
import type { Words } from '../words/words.ts'
import { englishWords } from '../words/words.ts'
import '../screens/frame.css'

/** A screen as it stands in the page. */
export type Shown<answer> = {
  readonly root: HTMLElement
  /** What it was answered; undefined so far. */
  answer(): answer | undefined
  /** Takes it away, as the stage does. */
  leave(): void
}

/** Shows a screen in the test's own document, until the test is over. */
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

/** What axe finds wrong in the document, each as one line. */
export async function wrongsOf(root: HTMLElement): Promise<readonly string[]> {
  const { violations } = await axe.run(root, { rules: { region: { enabled: false } } })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
