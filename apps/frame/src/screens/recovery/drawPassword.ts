import { h } from '../elements/h.ts'
import { messageForUser } from '../failure.ts'
import { createButton, labelledField, drawLayout } from '../elements/layout.ts'
import { problemLine } from '../elements/drawFailure.ts'
import { withRecoveryMethods } from './withRecoveryMethods.ts'
import { minPasswordLength, passwordWeaknessOf } from './passwordWeakness.ts'
import type { RecoveryMethodsStep } from './recoveryMethodsStep.ts'

/** Asks for a new recovery password twice. It is never shown again and goes to the worker only. */
export function drawPassword(step: RecoveryMethodsStep, failure?: string): void {
  const { messages, steps, back } = step
  const { recoveryMethods: texts, common } = messages
  const field = (id: string, label: string) =>
    labelledField(label, { id, type: 'password', autocomplete: 'new-password', 'aria-describedby': 'problem' })
  const [first, second] = [field('password', texts.newPassword), field('again', texts.again)]
  const { line, setText } = problemLine('problem')
  const refuse = (input: HTMLInputElement, sentence: string) => {
    for (const each of [first.input, second.input]) each.toggleAttribute('aria-invalid', false)
    input.setAttribute('aria-invalid', 'true')
    setText(sentence)
    input.focus()
  }
  drawLayout(steps.root, {
    title: texts.passwordTitle,
    content: [
      h('p', { class: 'hint' }, texts.passwordIntro),
      // Password managers store the password under this name.
      h('input', { type: 'text', autocomplete: 'username', value: step.userName, hidden: true }),
      first.box,
      second.box,
      line,
    ],
    actions: [
      createButton({ text: texts.save, look: 'primary' }),
      createButton({ text: common.cancel, look: 'quiet', press: () => back() }),
    ],
    submit() {
      const { value } = first.input
      const weakness = passwordWeaknessOf(value, [step.userName])
      const least = new Intl.NumberFormat(messages.locale).format(minPasswordLength)
      if (weakness === 'short') return refuse(first.input, texts.short({ least }))
      if (weakness === 'easy') return refuse(first.input, texts.easy)
      if (value !== second.input.value) return refuse(second.input, texts.different)
      save(step, value)
    },
  })
  setText(failure)
}

function save(step: RecoveryMethodsStep, password: string): void {
  const { messages, steps, holder, back } = step
  withRecoveryMethods(steps, step, {
    act: (credentials) => holder.addPassword(password, credentials),
    done: () => back(messages.recoveryMethods.added),
    failed: (error) => drawPassword(step, messageForUser(error, messages)),
    leave: back,
  })
}
