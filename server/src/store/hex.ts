/** The hexadecimal digits of bytes, such as a hash that a database returns. */
export function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}

/** The bytes of hexadecimal digits. */
export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
