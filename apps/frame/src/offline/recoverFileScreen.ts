import { isLatchkeyError } from '@latchkey/protocol'
import { openRecoveryFile } from '../custody/recoveryFile.ts'
import type { StretchPassword } from '../custody/passwordKey.ts'
import { h } from '../screens/elements/h.ts'
import { drawWaiting, problemLine } from '../screens/elements/drawFailure.ts'
import { createButton, drawLayout, labelledField } from '../screens/elements/layout.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'

export type RecoverFileProps = { readonly messages: Messages; readonly stretch: StretchPassword }

/** Opens a recovery file with its password. Ends with the wallet's entropy, which the caller has to wipe. */
export function recoverFileScreen(props: RecoverFileProps): Screen<Uint8Array> {
  return createScreen((steps) => drawForm(steps, props))
}

function drawForm(steps: Steps<Uint8Array>, props: RecoverFileProps, problem?: string): void {
  const { offline, exporting, recoveryMethods, recover } = props.messages
  const file = labelledField(exporting.fileReady, { id: 'file', type: 'file', 'aria-describedby': 'problem' })
  const password = labelledField(recoveryMethods.password, {
    id: 'password',
    type: 'password',
    autocomplete: 'off',
    'aria-describedby': 'problem',
  })
  const { line, setText } = problemLine('problem')
  drawLayout(steps.root, {
    title: offline.title,
    content: [h('p', { class: 'hint' }, offline.intro), file.box, password.box, line],
    actions: [createButton({ text: recover.open, look: 'primary' })],
    submit() {
      const [chosen] = file.input.files ?? []
      if (chosen === undefined) return setText(offline.invalid)
      drawWaiting(steps.root, { title: recover.working, hint: recover.workingHint })
      whenDone(steps, openChosen(chosen, password.input.value, props), {
        done: (entropy) => (entropy === undefined ? drawForm(steps, props, offline.invalid) : steps.finish(entropy)),
        failed: (error) => drawForm(steps, props, messageOf(error, props.messages)),
      })
    },
  })
  setText(problem)
}

/** Stretching blocks this thread, so the browser shows the waiting screen first. */
async function openChosen(
  file: File,
  password: string,
  { stretch }: RecoverFileProps,
): Promise<Uint8Array | undefined> {
  const text = await file.text()
  await new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })
  return openRecoveryFile(text, { password, stretch })
}

function messageOf(error: unknown, { offline, common }: Messages): string {
  return isLatchkeyError(error) ? offline.wrong : common.other
}
