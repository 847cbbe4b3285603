import { h } from '../dom.ts'
import { sentenceOf } from '../failure.ts'
import { button, labelledField, layOut } from '../layout.ts'
import { problemLine } from '../standing.ts'
import { goingWays } from './goWay.ts'
import { leastLetters, weaknessOf } from './passwordFloor.ts'
import type { WaysStep } from './waysStep.ts'

/** Asks for a new recovery password, twice. It is never shown again, and leaves the page for the worker only. */
export function drawPassword(step: WaysStep, failure?: string): void {
  const { words, steps, back } = step
  const { ways: texts, common } = words
  const field = (id: string, label: string) =>
    labelledField(label, { id, type: 'password', autocomplete: 'new-password', 'aria-describedby': 'problem' })
  const [first, second] = [field('password', texts.newPassword), field('again', texts.again)]
  const { line, say } = problemLine('problem')
  const refuse = (input: HTMLInputElement, sentence: string) => {
    for (const each of [first.input, second.input]) each.toggleAttribute('aria-invalid', false)
    input.setAttribute('aria-invalid', 'true')
    say(sentence)
    input.focus()
  }
  layOut(steps.root, {
    title: texts.passwordTitle,
    content: [
      h('p', { class: 'hint' }, texts.passwordIntro),
      // So that password managers know whose it is.
      h('input', { type: 'text', autocomplete: 'username', value: step.userName, hidden: true }),
      first.box,
      second.box,
      line,
    ],
    actions: [
      button({ text: texts.save, look: 'primary' }),
      button({ text: common.cancel, look: 'quiet', press: () => back() }),
    ],
    submit() {
      const { value } = first.input
      const weakness = weaknessOf(value, [step.userName])
      const least = new Intl.NumberFormat(words.locale).format(leastLetters)
      if (weakness === 'short') return refuse(first.input, texts.short(least))
      if (weakness === 'easy') return refuse(first.input, texts.easy)
      if (value !== second.input.value) return refuse(second.input, texts.different)
      save(step, value)
    },
  })
  say(failure)
}

function save(step: WaysStep, password: string): void {
  const { words, steps, holder, back } = step
  goingWays(steps, step, {
    act: (staying) => holder.addPassword(password, staying),
    done: () => back(words.ways.added),
    failed: (error) => drawPassword(step, sentenceOf(error, words)),
    leave: back,
  })
}
