import { enterReceiver } from '@latchkey/core/money'
import { goBack } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import { useCallback, useEffect, useRef, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { createCodeReader } from './createCodeReader.ts'
import { scanCodeCss } from './scanCode.css.ts'
import { watchCamera, type CameraState } from './watchCamera.ts'

/** Reads the receiver of a payment from a QR code, with the camera or from an image file. */
export default function ScanCodeView(): ReactElement {
  useViewStyles(moneyCss + scanCodeCss)
  return (
    <FlowMessages chunk={sendMessages}>
      <ScanCode />
    </FlowMessages>
  )
}

function ScanCode(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages).scan
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>('starting')
  const [hasNoCode, setHasNoCode] = useState(false)
  // The scanned text only fills the form. It is parsed like pasted text and never opened.
  const submitCode = useCallback(
    (text: string) => {
      enterReceiver(latchkey, text.trim())
      goBack(latchkey)
    },
    [latchkey],
  )
  useEffect(() => {
    if (video.current === null) return
    const loadReader = () => createCodeReader(globalThis)
    return watchCamera(video.current, loadReader, { onState: setState, onFound: submitCode })
  }, [submitCode])
  const readFile = async (file: File): Promise<void> => {
    const text = await readImage(file).catch(() => undefined)
    setHasNoCode(text === undefined)
    if (text !== undefined) submitCode(text)
  }
  const isBlocked = state === 'denied' || state === 'noCamera'
  return (
    <>
      <video ref={video} className="scan-camera" hidden={isBlocked} muted playsInline aria-hidden="true" />
      <div role="status">
        {hasNoCode && <p className="warning">{t.noCode}</p>}
        <p className="hint center">{state === 'on' ? t.hint : t[state]}</p>
      </div>
      <label className="button scan-file" data-primary={isBlocked ? '' : undefined}>
        {t.image}
        <input
          type="file"
          accept="image/*"
          className="hidden"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file !== undefined) void readFile(file)
            // Lets the user choose the same file again.
            target.value = ''
          }}
        />
      </label>
    </>
  )
}

async function readImage(file: File): Promise<string | undefined> {
  const [bitmap, reader] = await Promise.all([createImageBitmap(file), createCodeReader(globalThis)])
  try {
    return await reader.read(bitmap)
  } finally {
    bitmap.close()
  }
}
