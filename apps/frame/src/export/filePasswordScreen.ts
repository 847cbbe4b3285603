import { h, createIcon } from '../screens/elements/h.ts'
import { problemLine } from '../screens/elements/drawFailure.ts'
import { createButton, drawLayout, labelledField } from '../screens/elements/layout.ts'
import { minPasswordLength, passwordWeaknessOf } from '../screens/recovery/passwordWeakness.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'

/** Asks twice for the password of a recovery file. No service limits guesses at a file, so easy passwords are refused. */
export function filePasswordScreen(messages: Messages): Screen<{ password: string } | 'leave'> {
  const { exporting, recoveryMethods: texts, common } = messages
  return createScreen(({ root, finish }) => {
    const field = (id: string, label: string) =>
      labelledField(label, { id, type: 'password', autocomplete: 'new-password', 'aria-describedby': 'problem' })
    const [first, second] = [field('password', texts.newPassword), field('again', texts.again)]
    const { line, setText } = problemLine('problem')
    const refuse = (input: HTMLInputElement, sentence: string): void => {
      for (const each of [first.input, second.input]) each.toggleAttribute('aria-invalid', false)
      input.setAttribute('aria-invalid', 'true')
      setText(sentence)
      input.focus()
    }
    drawLayout(root, {
      title: exporting.filePassword,
      content: [
        h('p', { class: 'hint' }, exporting.filePasswordHint),
        h(
          'div',
          { class: 'banner', 'data-tone': 'danger' },
          createIcon('warning'),
          h('div', {}, h('strong', {}, exporting.fileWarning), h('p', {}, exporting.fileWarningHint)),
        ),
        first.box,
        second.box,
        line,
      ],
      actions: [
        createButton({ text: exporting.fileCreate, look: 'primary' }),
        createButton({ text: common.back, look: 'quiet', press: () => finish('leave') }),
      ],
      submit() {
        const { value } = first.input
        const weakness = passwordWeaknessOf(value, [])
        const least = new Intl.NumberFormat(messages.locale).format(minPasswordLength)
        if (weakness === 'short') return refuse(first.input, texts.short({ least }))
        if (weakness === 'easy') return refuse(first.input, texts.easy)
        if (value !== second.input.value) return refuse(second.input, texts.different)
        finish({ password: value })
      },
    })
  })
}
