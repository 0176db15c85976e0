import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Bytes of the sparse image. */
const SIZE = 1024 ** 3;
/** Attempts to unmount, a tenth of a second apart: killed processes release their files with a delay. */
const TRIES = 100;
/**
 * EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32), with EXT4_GOING_FLAGS_NOLOGFLUSH: data that is not on the disk yet never
 * gets there.
 */
const CUT = `
  my ($place, $group) = @ARGV;
  open(my $folder, '<', $place) or die "cannot open $place: $!";
  my $flags = pack('L', 2);
  ioctl($folder, 0x8004587D, $flags) or die "the file system cannot be shut down: $!";
  kill 'KILL', -$group if $group;
`;

/** A small ext4 file system in a file, on which the power can be cut. */
export class LoopDisk {
  readonly #home = mkdtempSync(join(tmpdir(), 'rolezero-disk-'));
  readonly #image = join(this.#home, 'image');
  /** Its mount point. */
  readonly place = join(this.#home, 'mounted');
  #mounted = false;

  private constructor(private readonly options: string) {}

  /** The reason why power cannot be cut on this machine; null where it can. */
  static refusal(): string | null {
    try {
      const disk = LoopDisk.make({ quick: false });
      disk.cut(null);
      disk.remove();
      return null;
    } catch (error) {
      return `Power cuts need a Linux on which one is root, with mkfs.ext4, perl and loop devices (in a container: --privileged): ${String(error)}`;
    }
  }

  /**
   * Creates an empty disk and mounts it. A `quick` one flushes within a second instead of the usual half minute, so
   * the age of its data is as in a run that takes minutes.
   * @throws Error of the program that failed; nothing is left behind then.
   */
  static make({ quick }: { quick: boolean }): LoopDisk {
    const disk = new LoopDisk(quick ? 'loop,nodelalloc,commit=1' : 'loop');
    try {
      mkdirSync(disk.place);
      writeFileSync(disk.#image, '');
      truncateSync(disk.#image, SIZE);
      run('mkfs.ext4', '-q', '-F', '-m', '0', disk.#image);
      disk.powerUp();
      return disk;
    } catch (error) {
      disk.remove();
      throw error;
    }
  }

  /** Stops all writes to the disk, then kills all processes of the group before they can notice. */
  cut(group: number | null): void {
    run('perl', '-e', CUT, this.place, ...(group === null ? [] : [String(group)]));
  }

  /** Unmounts the disk after a cut and mounts it again with the data that reached it. */
  async comeBack(): Promise<void> {
    for (let tries = 1; this.#mounted; tries++) {
      try {
        run('umount', this.place);
        this.#mounted = false;
      } catch (error) {
        if (tries === TRIES) throw error;
        await wait(100);
      }
    }
    this.powerUp();
  }

  /** Removes everything in any state. The disk must no longer be in use. */
  remove(): void {
    if (this.#mounted) run('umount', '--lazy', this.place); // The loop device is released with its last user.
    this.#mounted = false;
    rmSync(this.#home, { recursive: true, force: true });
  }

  private powerUp(): void {
    run('mount', '-o', this.options, this.#image, this.place);
    this.#mounted = true;
  }
}

function run(command: string, ...given: string[]): void {
  execFileSync(command, given, { stdio: ['ignore', 'ignore', 'pipe'] });
}
