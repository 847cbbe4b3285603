import { useEffect, useRef, useState } from 'react'
import { Sheet } from '../components/Sheet.tsx'
import type { CodeReader } from './codeReader.ts'

type ScanProps = { reader: CodeReader; isOpen: boolean; onClose(): void; onFound(uri: string): void }

/** Scans a pairing link with the camera or from a picture. */
export function ScanSheet({ reader, isOpen, onClose, onFound }: ScanProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const found = useRef(onFound)
  useEffect(() => {
    found.current = onFound
  })

  useEffect(() => {
    if (!isOpen || video.current === null) return
    return watch(video.current, reader, (uri) => found.current(uri), setProblem)
  }, [isOpen, reader])

  async function readPicture(file: File | undefined): Promise<void> {
    if (file === undefined) return
    const text = await createImageBitmap(file).then(reader.read, () => undefined)
    if (text === undefined) setProblem('There is no code in this picture. Choose another one.')
    else onFound(text)
  }

  return (
    <Sheet
      isOpen={isOpen}
      title="Scan a code"
      contentKey="scan"
      onClose={onClose}
      footer={
        <label className="secondary">
          Choose a picture
          <input
            className="spoken"
            type="file"
            accept="image/*"
            onChange={(event) => void readPicture(event.target.files?.[0])}
          />
        </label>
      }
    >
      <video ref={video} className="camera" muted playsInline />
      <output>{problem ?? 'Point the camera at the code in the app.'}</output>
    </Sheet>
  )
}

/** Scans the camera image until it finds a code. Returns a function that stops the camera. */
function watch(
  video: HTMLVideoElement,
  reader: CodeReader,
  onFound: (text: string) => void,
  onProblem: (text: string) => void,
): () => void {
  let frame = 0
  let stream: MediaStream | undefined
  let isWatched = true

  async function look(): Promise<void> {
    const text =
      video.readyState < video.HAVE_CURRENT_DATA ? undefined : await reader.read(video).catch(() => undefined)
    if (!isWatched) return
    if (text?.startsWith('wc:') === true) onFound(text)
    else frame = requestAnimationFrame(() => void look())
  }

  async function begin(): Promise<void> {
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (!isWatched) return end()
      video.srcObject = stream
      await video.play()
      await look()
    } catch {
      onProblem('The camera is not available. Choose a picture of the code, or paste the link.')
    }
  }

  function end(): void {
    for (const track of stream?.getTracks() ?? []) track.stop()
  }

  void begin()
  return () => {
    isWatched = false
    cancelAnimationFrame(frame)
    video.srcObject = null
    end()
  }
}
