import type { CodeReader } from './createCodeReader.ts'

/** The state of the camera: no permission, or none that can be used. */
export type CameraState = 'starting' | 'on' | 'denied' | 'noCamera'

type WatchOptions = {
  onState(state: CameraState): void
  onFound(text: string): void
}

/**
 * Shows the camera in a video element, and reads its image until it contains a code.
 *
 * @returns a function that stops the camera
 */
export function watchCamera(
  video: HTMLVideoElement,
  loadReader: () => Promise<CodeReader>,
  { onState, onFound }: WatchOptions,
): () => void {
  let stream: MediaStream | undefined
  let frame = 0
  let isStopped = false
  const stop = (): void => {
    isStopped = true
    cancelAnimationFrame(frame)
    for (const track of stream?.getTracks() ?? []) track.stop()
    video.srcObject = null
  }
  const look = async (reader: CodeReader): Promise<void> => {
    const isDrawn = video.readyState >= video.HAVE_CURRENT_DATA
    const text = isDrawn ? await reader.read(video).catch(() => undefined) : undefined
    if (isStopped) return
    if (text === undefined) frame = requestAnimationFrame(() => void look(reader))
    else {
      stop()
      onFound(text)
    }
  }
  const begin = async (): Promise<void> => {
    // Without a secure context there is no such object.
    const devices: MediaDevices | undefined = navigator.mediaDevices
    if (devices === undefined) return onState('noCamera')
    const opened = await devices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
    stream = opened
    // The user may have left while the browser asked.
    if (isStopped) return stop()
    video.srcObject = opened
    const [reader] = await Promise.all([loadReader(), video.play()])
    if (isStopped) return
    onState('on')
    await look(reader)
  }
  begin().catch((error: unknown) => {
    if (isStopped) return
    stop()
    onState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'noCamera')
  })
  return stop
}
