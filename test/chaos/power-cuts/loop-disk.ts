import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Bytes of the image; it is sparse. */
const SIZE = 1024 ** 3;
/** Tries to unmount, each after a tenth of a second: processes that were killed take their time to let go. */
const TRIES = 100;
/** EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32), with EXT4_GOING_FLAGS_NOLOGFLUSH: what is not on the disk now never gets there. */
const CUT = `
  my ($place, $group) = @ARGV;
  open(my $folder, '<', $place) or die "cannot open $place: $!";
  my $flags = pack('L', 2);
  ioctl($folder, 0x8004587D, $flags) or die "the file system cannot be shut down: $!";
  kill 'KILL', -$group if $group;
`;

/** A small ext4 file system of its own in a file, on which the power can be cut. */
export class LoopDisk {
  readonly #home = mkdtempSync(join(tmpdir(), 'rolezero-disk-'));
  readonly #image = join(this.#home, 'image');
  /** Where it is mounted. */
  readonly place = join(this.#home, 'mounted');
  #mounted = false;

  private constructor(private readonly options: string) {}

  /** Why power cannot be cut on this machine, to be shown to somebody; null where it can. */
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
   * A new one, empty and mounted. A `quick` one is written within a second, which others take half a minute for unless they are made to:
   * what is on it is as old as it would be where a run takes minutes.
   * @throws Error of the program that could not do its part; nothing is left then.
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

  /** At once nothing more gets to the disk; then all processes of the group are killed, before they can notice. */
  cut(group: number | null): void {
    run('perl', '-e', CUT, this.place, ...(group === null ? [] : [String(group)]));
  }

  /** Takes the disk away after a cut, and mounts it again with what had got to it. */
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

  /** Leaves nothing behind, whatever state it is in; nobody may be using it any more. */
  remove(): void {
    if (this.#mounted) run('umount', '--lazy', this.place); // the loop device goes with the last one who uses it
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
