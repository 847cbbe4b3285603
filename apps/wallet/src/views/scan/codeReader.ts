/** Reads QR codes from pictures. */
export type CodeReader = {
  /** The text of the first code in the picture; nothing when there is none. */
  read(picture: ImageBitmapSource): Promise<string | undefined>
}

type Detector = { detect(picture: ImageBitmapSource): Promise<readonly { rawValue: string }[]> }
type DetectorClass = new (options: { formats: readonly string[] }) => Detector

/**
 * The platform's own reader of QR codes (Shape Detection API).
 *
 * @returns nothing where the platform has none: then links are pasted.
 */
export function codeReader(scope: object): CodeReader | undefined {
  if (!('BarcodeDetector' in scope)) return undefined
  // The DOM types of the compiler do not have it yet.
  const Detector = scope.BarcodeDetector as DetectorClass
  const detector = new Detector({ formats: ['qr_code'] })
  return { read: async (picture) => (await detector.detect(picture))[0]?.rawValue }
}
