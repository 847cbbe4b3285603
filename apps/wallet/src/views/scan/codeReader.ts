/** Reads QR codes from pictures. */
export type CodeReader = {
  /** Reads the first code in the picture. Returns `undefined` if there is none. */
  read(picture: ImageBitmapSource): Promise<string | undefined>
}

type Detector = { detect(picture: ImageBitmapSource): Promise<readonly { rawValue: string }[]> }
type DetectorClass = new (options: { formats: readonly string[] }) => Detector

/**
 * Creates a reader of QR codes with the platform's Shape Detection API.
 *
 * @returns undefined if the platform has no detector; users paste the link instead
 */
export function codeReader(scope: object): CodeReader | undefined {
  if (!('BarcodeDetector' in scope)) return undefined
  // TypeScript's DOM types don't include it yet.
  const Detector = scope.BarcodeDetector as DetectorClass
  const detector = new Detector({ formats: ['qr_code'] })
  return { read: async (picture) => (await detector.detect(picture))[0]?.rawValue }
}
