/** A picture that can be drawn. */
export type Picture = HTMLVideoElement | ImageBitmap

/** Reads QR codes from pictures. */
export type CodeReader = {
  /** Returns the text of a code in the picture, or undefined if there is none. */
  read(picture: Picture): Promise<string | undefined>
}

type Detector = { detect(picture: Picture): Promise<readonly { rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** Larger pictures are scaled down. A code that fills a tenth of the picture is still readable. */
const longestSide = 1_280

/** The longest text that is read: a payment link is shorter. */
const longestText = 2_000

/** Time for retries on one picture, in milliseconds. */
const retryMilliseconds = 60

/**
 * Creates a reader of QR codes: with the Shape Detection API if the platform supports QR codes, else with a decoder
 * that is fetched on first use.
 *
 * @param scope the global object
 */
export async function createCodeReader(scope: object): Promise<CodeReader> {
  const detector = await createDetector(scope)
  const detect = detector ?? (await createDecoder())
  return {
    async read(picture) {
      const [text] = await detect(picture)
      return text === undefined || text === '' || text.length > longestText ? undefined : text
    },
  }
}

type Detect = (picture: Picture) => Promise<readonly string[]>

async function createDetector(scope: object): Promise<Detect | undefined> {
  if (!('BarcodeDetector' in scope)) return undefined
  // TypeScript's DOM types don't include it yet.
  const Detector = scope.BarcodeDetector as DetectorClass
  const formats = await Detector.getSupportedFormats().catch((): readonly string[] => [])
  if (!formats.includes('qr_code')) return undefined
  const detector = new Detector({ formats: ['qr_code'] })
  return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue)
}

async function createDecoder(): Promise<Detect> {
  const { default: decodeQr } = await import('qr/decode.js')
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  return async (picture) => {
    const size = getDrawnSize(picture)
    if (context === null || size === undefined) return []
    Object.assign(context.canvas, size)
    context.drawImage(picture, 0, 0, size.width, size.height)
    try {
      return [decodeQr(context.getImageData(0, 0, size.width, size.height), { timeLimit: retryMilliseconds })]
    } catch {
      // The decoder throws if there is no code.
      return []
    }
  }
}

function getDrawnSize(picture: Picture): { width: number; height: number } | undefined {
  const [width, height] =
    picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]
  if (width === 0 || height === 0) return undefined
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
